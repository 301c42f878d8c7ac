import Curl

/// Finds out how much of a WARC file is whole that was being written when its run was killed.
enum WARCRecovery {
    private static let piece = 256 * 1024

    /// The bytes up to the end of the last whole record; 0 for none.
    static func wholeLength(of file: borrowing FileDescriptor) throws(FileError) -> Int64 {
        guard var decoder = GzipDecoder() else { return 0 }
        var bytes: [UInt8] = []
        do throws(BatchFailure) {
            while try Self.read(file, into: &bytes) > 0 {
                try decoder.decode(bytes) { _ in true }
                bytes.removeAll(keepingCapacity: true)
            }
        } catch {
            // What is damaged is behind what is whole.
        }
        return decoder.endOfLastMember
    }

    private static func read(
        _ file: borrowing FileDescriptor,
        into bytes: inout [UInt8]
    ) throws(BatchFailure) -> Int {
        do throws(FileError) {
            return try file.read(appendingTo: &bytes, upTo: piece)
        } catch {
            throw BatchFailure(.input, error)
        }
    }
}
