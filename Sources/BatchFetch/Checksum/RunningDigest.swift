import Synchronization

/// A checksum of a body that is arriving.
final class RunningDigest: Sendable {
    let algorithm: DigestAlgorithm
    /// Only the body's loop asks for it: never waited for.
    private let digest: Mutex<MessageDigest?>

    init(_ algorithm: DigestAlgorithm) {
        self.algorithm = algorithm
        digest = Mutex(MessageDigest(algorithm))
    }

    func update(_ bytes: Span<UInt8>) {
        digest.withLock { $0?.update(bytes) }
    }

    /// The checksum; empty where the system doesn't compute it. Once.
    func finish() -> [UInt8] {
        digest.withLock { $0.take()?.finish() ?? [] }
    }
}
