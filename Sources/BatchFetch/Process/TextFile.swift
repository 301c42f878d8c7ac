import Curl

/// A small file of text.
package enum TextFile {
    private static let longest = 1 << 20

    /// Reads it. Blocks.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` if it can't be read, is no UTF-8, or is longer than
    ///   a megabyte.
    package static func text(of path: String) throws(BatchFailure) -> String {
        var bytes: [UInt8] = []
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(path)
            while bytes.count <= longest, try file.read(appendingTo: &bytes, upTo: 64 * 1024) > 0 {}
        } catch {
            throw BatchFailure(.configuration, "\(error)")
        }
        guard bytes.count <= longest else {
            throw BatchFailure(.configuration, "“\(path)” is too long for settings")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw BatchFailure(.configuration, "“\(path)” is not UTF-8")
        }
        return text
    }

    /// Makes sure, before a run, that it can be written after it.
    ///
    /// - Throws: ``BatchFailure/Code/output`` if it can't.
    package static func check(_ path: String) throws(BatchFailure) {
        guard path != "-" else { return }
        do throws(FileError) {
            switch try FileSystem.plainKind(of: path) {
            case .regular, nil: _ = try TemporaryFile(for: path)
            case .directory: throw FileError.isDirectory(path)
            case .other: break
            }
        } catch {
            throw failure(error)
        }
    }

    /// Writes it: a file is replaced when it is complete, and what is none (a pipe, a device, a symbolic
    /// link to anything) is written into; `-` is the standard output. Blocks.
    ///
    /// - Throws: ``BatchFailure/Code/output`` if it can't be written.
    package static func write(_ text: String, to path: String) throws(BatchFailure) {
        let bytes = Array(text.utf8)
        do throws(FileError) {
            if path == "-" {
                try FileDescriptor.flushPrinted()
                return try FileDescriptor.standardOutput.write(bytes)
            }
            switch try FileSystem.plainKind(of: path) {
            case .regular, nil:
                let file = try TemporaryFile(for: path)
                try file.write(bytes)
                try file.commit()
            case .directory, .other:
                let file = try FileDescriptor.openForWriting(path, creation: .truncating)
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
