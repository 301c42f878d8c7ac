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
}
