import Testing

/// Runs the public HTTP cache tests with sessions.
@Suite(.timeLimit(.minutes(10))) struct CorpusSessionTests {
    /// Parts of the names of cases that sessions don't run.
    ///
    /// The transport frames and decodes content itself, and a 204 response has no content.
    /// Background revalidation has separate tests, because it ends at an unknown time.
    private static let parts = [
        "-Content-Encoding", "-Content-Length", "-Transfer-Encoding", "-204-", "while-revalidate",
    ]

    private static func isLeftOut(_ test: CorpusCase) -> Bool {
        parts.contains { test.id.contains($0) }
    }

    @Test("C19: Sessions pass the public HTTP cache tests, except for documented differences")
    func sessionsPassThePublicCacheTests() async throws {
        let session = try CorpusSession()
        let cases = Corpus.groups.flatMap(\.cases).filter { !Self.isLeftOut($0) }
        #expect(cases.count > 290)
        for test in cases {
            let faults = try await session.run(test)
            #expect(faults.isEmpty == (test.difference == nil), "\(test.id): \(faults)")
        }
    }
}
