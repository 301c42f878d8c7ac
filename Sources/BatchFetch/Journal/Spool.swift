import Curl

/// A copy of the standard input in a file, so that it can be read again.
public enum Spool {
    private static let piece = 256 * 1024

    /// Whether there is a copy already.
    package static func isFilled(_ path: String) -> Bool {
        (try? FileSystem.kind(of: path)) == .regular
    }

    /// Copies the standard input to `path`, unless that is there already. The file appears when it
    /// is complete. Blocks until the standard input ends.
    ///
    /// - Throws: ``BatchFailure`` with the code `input` or `output`.
    public static func fill(_ path: String) throws(BatchFailure) {
        do throws(FileError) {
            guard try FileSystem.kind(of: path) == nil else { return }
            let input = FileDescriptor.standardInput
            let copy = try TemporaryFile(for: path)
            var bytes: [UInt8] = []
            while try input.read(appendingTo: &bytes, upTo: piece) > 0 {
                try copy.write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            try copy.commit(synchronizing: true)
        } catch {
            throw BatchFailure(.output, "standard input can't be kept: \(error)")
        }
    }
}
