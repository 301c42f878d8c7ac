import Posix

/// Reads and writes small text files.
package enum TextFile {
    package static let longest = 1 << 20

    /// Reads a file. Blocks.
    ///
    /// - Parameter longest: The most bytes; 1 MiB by default.
    /// - Throws: ``BatchFailure/Code/configuration`` if it can't be read, isn't UTF-8, or is longer
    ///   than `longest`.
    package static func text(
        of path: String,
        longest: Int = longest
    ) throws(BatchFailure) -> String {
        var bytes: [UInt8] = []
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(path)
            while bytes.count <= longest, try file.read(appendingTo: &bytes, upTo: 64 * 1024) > 0 {}
        } catch {
            throw BatchFailure(.configuration, "\(error)")
        }
        guard bytes.count <= longest else {
            throw BatchFailure(.configuration, "“\(path)” is longer than \(longest >> 20) MiB")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw BatchFailure(.configuration, "“\(path)” is not UTF-8")
        }
        return text
    }

    /// Checks, before a run, that the file can be written.
    ///
    /// - Throws: ``BatchFailure/Code/output`` if it can't.
    package static func check(_ path: String) throws(BatchFailure) {
        guard path != "-" else { return }
        do throws(FileError) {
            switch try FileSystem.plainKind(of: path) {
            case .regular, nil: _ = try TemporaryFile(for: path)
            case .directory: throw FileError.isDirectory(path)
            case .other:
                // A link is followed, and may lead to a file that can't be written.
                guard try FileSystem.kind(of: path) == .regular else { break }
                _ = try FileDescriptor.openForWriting(path, creation: .appending)
            }
        } catch {
            throw failure(error)
        }
    }

    /// Writes a file; `-` is the standard output. Blocks.
    ///
    /// A regular file is replaced once the new one is complete. Anything else (a pipe, a device,
    /// any symbolic link) is written in place.
    ///
    /// - Parameter mode: The permissions of a new file, less the process' umask.
    /// - Throws: ``BatchFailure/Code/output`` if it can't be written.
    package static func write(
        _ text: String,
        to path: String,
        mode: UInt32 = 0o666
    ) throws(BatchFailure) {
        let bytes = Array(text.utf8)
        do throws(FileError) {
            if path == "-" {
                try FileDescriptor.flushPrinted()
                return try FileDescriptor.standardOutput.write(bytes)
            }
            switch try FileSystem.plainKind(of: path) {
            case .regular, nil:
                let file = try TemporaryFile(for: path, mode: mode)
                try file.write(bytes)
                try file.commit()
            case .directory, .other:
                let file = try FileDescriptor.openForWriting(
                    path,
                    creation: .truncating,
                    mode: mode
                )
                try file.write(bytes)
                try file.close()
            }
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ error: FileError) -> BatchFailure {
        BatchFailure(.output, "\(error): name a file that can be written")
    }
}
