import Posix

extension FetchJob {
    private static let piece = 1 << 20

    /// Returns why an existing file that is kept fails the list's checksum.
    ///
    /// Returns `nil` if the checksum matches or the list has none. Blocks on the disk.
    ///
    /// - Parameter isEnding: Whether the run is ending, so that reading the file stops.
    func mismatch(ofFile path: String, _ isEnding: () -> Bool) -> BatchFailure? {
        guard let expected = target.details?.request.digests,
            let verifier = BodyVerifier(computing: [], expecting: expected)
        else { return nil }
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(path)
            var bytes: [UInt8] = []
            while try file.read(appendingTo: &bytes, upTo: Self.piece) > 0 {
                verifier.update(bytes.span)
                if isEnding() {
                    return BatchFailure(.cancelled, "the run ended while a file was being verified")
                }
                bytes.removeAll(keepingCapacity: true)
            }
        } catch {
            return BatchFailure(.output, error)
        }
        return verifier.finish().failure?.adding(
            "the existing file “\(path)” is kept: overwrite existing files to fetch it again"
        )
    }
}
