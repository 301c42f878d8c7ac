import Synchronization

/// Computes checksums of a body as it arrives, and compares them with those that are expected.
final class BodyVerifier: Sendable {
    private let running: [RunningDigest]
    private let expected: [ExpectedDigest]
    /// What ``finish()`` has found.
    private let found = Mutex<[DigestAlgorithm: [UInt8]]?>(nil)

    /// `nil` where there is nothing to compute.
    init?(computing algorithms: Set<DigestAlgorithm>, expecting expected: [ExpectedDigest]) {
        let all = algorithms.union(expected.map(\.algorithm))
        guard !all.isEmpty else { return nil }
        running = all.map { RunningDigest($0) }
        self.expected = expected
    }

    /// Takes the next bytes.
    func update(_ bytes: Span<UInt8>) {
        for digest in running { digest.update(bytes) }
    }

    /// The checksums of the whole body, and what is wrong with it, if anything is.
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
            "the body's \(expected.algorithm.rawValue) is \(Hexadecimal.text(found)), and not "
                + "\(Hexadecimal.text(expected.bytes)) as \(expected.source) says"
        )
    }
}
