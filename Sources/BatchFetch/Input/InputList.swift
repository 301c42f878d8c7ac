import Posix

/// The open file of a list.
enum ListFile: ~Copyable, Sendable {
    case open(FileDescriptor)
    /// The input is a sequence or has no list, or the list is a single URL.
    case noFile
}

/// One list of an input.
package enum InputList: Sendable, Hashable {
    case file(String)
    case standardInput
    /// A single URL to fetch.
    case url(String)

    /// Parses a command-line argument.
    package init(_ name: String) {
        let beginning = name.prefix(8).lowercased()
        if name == "-" {
            self = .standardInput
        } else if beginning.hasPrefix("http://") || beginning.hasPrefix("https://") {
            self = .url(name)
        } else {
            self = .file(name)
        }
    }

    /// The list as a command-line argument.
    var argument: String {
        switch self {
        case .file(let path): path
        case .standardInput: "-"
        case .url(let url): url
        }
    }

    /// The list's name in messages.
    var name: String {
        switch self {
        case .file(let path): path
        case .standardInput: "standard input"
        case .url: "the URL given"
        }
    }

    /// Opens the list.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if the list can't be read.
    func open() throws(BatchFailure) -> ListFile {
        switch self {
        case .standardInput:
            return .open(.standardInput)
        case .url:
            return .noFile
        case .file(let path):
            do throws(FileError) {
                return .open(try .openForReading(path))
            } catch {
                throw Self.failure(error)
            }
        }
    }

    /// Checks that the list can be read. Doesn't open a pipe, which may allow only one reader.
    func check() throws(BatchFailure) {
        guard case .file(let path) = self else { return }
        do throws(FileError) {
            switch try FileSystem.kind(of: path) {
            case .directory: throw FileError.isDirectory(path)
            case nil: throw FileError.isMissing(path)
            case .regular: _ = try FileDescriptor.openForReading(path)
            case .other: return
            }
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: FileError) -> BatchFailure {
        BatchFailure(
            .input,
            "\(error): name a file with one URL a line, or - for standard input"
        )
    }
}
