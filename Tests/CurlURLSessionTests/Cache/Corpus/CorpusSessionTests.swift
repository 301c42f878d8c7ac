import Testing

/// Sessions against the public collection of tests for HTTP caches.
@Suite(.timeLimit(.minutes(10))) struct CorpusSessionTests {
    /// The engine frames and decodes content itself, and a status without content has none. Those that
    /// are loaded again in the background, which is over at some time, have tests of their own.
    private static let parts = [
        "-Content-Encoding", "-Content-Length", "-Transfer-Encoding", "-204-", "while-revalidate",
    ]

    private static func isLeftOut(_ test: CorpusCase) -> Bool {
        parts.contains { test.id.contains($0) }
    }

    @Test("C19: Sessions do what the public tests for HTTP caches expect")
    func sessionsDoWhatIsExpected() async throws {
        let session = try CorpusSession()
        let cases = Corpus.groups.flatMap(\.cases).filter { !Self.isLeftOut($0) }
        #expect(cases.count > 290)
        for test in cases {
            let faults = try await session.run(test)
            #expect(faults.isEmpty == (test.difference == nil), "\(test.id): \(faults)")
        }
    }
}
