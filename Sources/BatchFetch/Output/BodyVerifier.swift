import HTTPSemantics
import Synchronization

/// Computes a body's checksums as it arrives, and verifies them.
final class BodyVerifier: Sendable {
    private let running: [RunningDigest]
    private let expected: [ExpectedDigest]
    /// The result of ``finish()``, kept for further calls.
    private let found = Mutex<[DigestAlgorithm: [UInt8]]?>(nil)

    /// Returns `nil` if there is nothing to compute.
    init?(computing algorithms: Set<DigestAlgorithm>, expecting expected: [ExpectedDigest]) {
        let all = algorithms.union(expected.map(\.algorithm))
        guard !all.isEmpty else { return nil }
        running = all.map { RunningDigest($0) }
        self.expected = expected
    }

    /// Adds the next bytes.
    func update(_ bytes: Span<UInt8>) {
        for digest in running { digest.update(bytes) }
    }

    /// Returns the checksums of the whole body, and any mismatch.
    func finish() -> (digests: [DigestAlgorithm: [UInt8]], failure: BatchFailure?) {
        let digests = found.withLock { found in
            let all =
                found
                ?? Dictionary(
                    running.map { ($0.algorithm, $0.finish()) },
                    uniquingKeysWith: { $1 }
                )
            found = all
            return all
        }
        let wrong = expected.first { digests[$0.algorithm] != $0.bytes }
        return (digests, wrong.map { Self.failure($0, digests[$0.algorithm] ?? []) })
    }

    private static func failure(_ expected: ExpectedDigest, _ found: [UInt8]) -> BatchFailure {
        BatchFailure(
            .verification,
            "the body's \(expected.algorithm.rawValue) is \(Hexadecimal.text(found)) instead of "
                + "\(Hexadecimal.text(expected.bytes)) as \(expected.source) says"
        )
    }
}
