/// Computes checksums of a body as it arrives, and compares them with those that are expected.
final class BodyVerifier: Sendable {
    private let digests: [RunningDigest]
    private let expected: [ExpectedDigest]

    /// `nil` where there is nothing to compute.
    init?(computing algorithms: Set<DigestAlgorithm>, expecting expected: [ExpectedDigest]) {
        let all = algorithms.union(expected.map(\.algorithm))
        guard !all.isEmpty else { return nil }
        digests = all.map { RunningDigest($0) }
        self.expected = expected
    }

    /// Takes the next bytes.
    func update(_ bytes: Span<UInt8>) {
        for digest in digests { digest.update(bytes) }
    }

    /// The checksums of the whole body, and what is wrong with it, if anything is. Once.
    func finish() -> (digests: [DigestAlgorithm: [UInt8]], failure: BatchFailure?) {
        var found: [DigestAlgorithm: [UInt8]] = [:]
        for digest in digests { found[digest.algorithm] = digest.finish() }
        let wrong = expected.first { found[$0.algorithm] != $0.bytes }
        return (found, wrong.map { Self.failure($0, found[$0.algorithm] ?? []) })
    }

    private static func failure(_ expected: ExpectedDigest, _ found: [UInt8]) -> BatchFailure {
        BatchFailure(
            .verification,
            "the body's \(expected.algorithm.rawValue) is \(Hexadecimal.text(found)), and not "
                + "\(Hexadecimal.text(expected.bytes)) as \(expected.source) says"
        )
    }
}
