import BatchFetch
import Posix

/// A file that the user names as input or output.
///
/// `-` and everything that isn't a regular file (a pipe, a device) may be named more than once.
struct NamedFileArgument: Sendable {
    /// The purpose as messages name it: `--results`.
    private let purpose: String
    private let path: String
    private let place: FilePlace?
    private let isWritten: Bool

    private init(_ purpose: String, _ path: String, _ place: FilePlace?, isWritten: Bool) {
        self.purpose = purpose
        self.path = path
        self.place = place
        self.isWritten = isWritten
    }

    /// Looks the file up in the file system.
    private init(_ purpose: String, _ path: String, isWritten: Bool) {
        let place = path == "-" ? nil : FileSystem.place(of: path)
        self.init(purpose, path, place, isWritten: isWritten)
    }

    /// Creates a file that is only read; `nil` for no path.
    static func reading(_ path: String?, for purpose: String) -> NamedFileArgument? {
        path.map { NamedFileArgument(purpose, $0, isWritten: false) }
    }

    /// Creates a file that is written and may lose its content; `nil` for no path.
    static func writing(_ path: String?, for purpose: String) -> NamedFileArgument? {
        path.map { NamedFileArgument(purpose, $0, isWritten: true) }
    }

    /// Creates a list of URLs, which may be the standard input; `nil` for a URL.
    static func reading(list: String) -> NamedFileArgument? {
        let purpose = "a list of URLs"
        switch InputList(list) {
        case .url: return nil
        case .file(let path): return reading(path, for: purpose)
        case .standardInput:
            let place = FileSystem.placeOfStandardInput()
            return NamedFileArgument(purpose, "standard input", place, isWritten: false)
        }
    }

    /// The paths of these files, whether or not they exist.
    static func paths(of files: [NamedFileArgument?]) -> [String] {
        files.compactMap { $0?.path }.filter { $0 != "-" }
    }

    /// Why these files can't be used in one run; `nil` if they can.
    ///
    /// One file would overwrite another, even if their paths are written differently.
    static func clash(of files: [NamedFileArgument?]) -> String? {
        var known: [FilePlace: NamedFileArgument] = [:]
        for file in files.compactMap({ $0 }) {
            guard let place = file.place else { continue }
            guard let other = known.updateValue(file, forKey: place) else { continue }
            let (writer, victim) = file.isWritten ? (file, other) : (other, file)
            guard writer.isWritten else { continue }
            return
                "\(writer.purpose) would overwrite “\(victim.path)”, which is \(victim.purpose): "
                + "name another file"
        }
        return nil
    }
}
