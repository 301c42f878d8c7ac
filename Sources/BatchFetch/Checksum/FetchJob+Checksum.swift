import Curl

extension FetchJob {
    private static let piece = 1 << 20

    /// Why a file that is there, and is to stay, isn't the body that the list asks for; nil where it is, or
    /// the list has no checksum. Waits for the disk.
    ///
    /// - Parameter isEnding: Whether the run ends, so that the file isn't read any more.
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
                    return BatchFailure(.cancelled, "the run was ended while a file was verified")
                }
                bytes.removeAll(keepingCapacity: true)
            }
        } catch {
            return BatchFailure(.output, error)
        }
        return verifier.finish().failure?.adding(
            "the file “\(path)” is there and stays: overwrite existing files to fetch it again"
        )
    }
}
