import Logging
import Posix
import Testing

@testable import BatchFetch

/// The events of a run: their levels, and what they say without secrets.
@Suite struct RunNoteTests {
    private let start = MonotonicTime(nanoseconds: 0)
    private static let secretive = "https://user:secret@a.example/x?token=secret#secret"
    private static let refused = BatchFailure(.transport, "connection refused")

    private func fields(_ note: RunNote) -> [String: String] {
        note.metadata.mapValues { "\($0)" }
    }

    private func lines(_ notes: [RunNote]) -> [String] {
        notes.map { "\($0.level) \($0.message)" }
    }

    @Test(arguments: [
        RunNote.attemptStarted(url: secretive, attempt: 2),
        .retry(url: secretive, attempt: 2, delay: .seconds(1), reason: nil),
        .usingMirror(url: secretive, mirror: secretive, reason: nil),
        .resumingPartial(url: secretive, bytes: 5), .splitting(url: secretive, pieces: 2),
    ])
    func urlIsLoggedWithoutSecrets(note: RunNote) {
        #expect(fields(note)["url"] == "https://…@a.example/x?…")
        #expect(!fields(note).values.contains { $0.contains("secret") })
    }

    @Test("A queue that can't be spilled is a warning with its reason")
    func missingSpillFileIsAWarning() {
        let note = RunNote.notSpilling(BatchFailure(.output, "the disk is full"))
        let line = "warning few hosts fill the queue, and it can't be spilled to disk"
        #expect(lines([note]) == [line])
        #expect(fields(note) == ["reason": "the disk is full"])
    }

    @Test func malformedLineIsLoggedUpToWhatMayBeSecret() {
        var result = BatchResult(url: "a.example/x?token=secret", line: 4)
        result.failure = BatchFailure(.invalidURL, "it has no scheme")
        let note = RunNote.done(result)
        #expect(lines([note]) == ["debug failed"])
        let fields = fields(note)
        #expect(fields["url"] == "a.example/x…" && fields["line"] == "4")
        #expect(fields["code"] == "invalid_url" && fields["reason"] == "it has no scheme")
        #expect(fields["status"] == nil && fields["seconds"] == nil)
    }

    @Test func fetchedURLIsATraceWithItsStatus() {
        var result = BatchResult(url: "http://a/", line: 1)
        result.attempts = 2
        result.status = 200
        let note = RunNote.done(result)
        #expect(lines([note]) == ["trace fetched"])
        #expect(fields(note)["status"] == "200" && fields(note)["attempts"] == "2")
        #expect(fields(note)["code"] == nil)
    }

    @Test func endOfTheListIsAnErrorOnlyIfItCameEarly() {
        let damaged = RunNote.listEnded(BatchFailure(.input, "the list is damaged"))
        #expect(
            lines([.listEnded(nil), damaged]) == ["debug list read", "error list ended early"]
        )
        #expect(fields(.listEnded(nil)).isEmpty)
        #expect(fields(damaged) == ["reason": "the list is damaged"])
    }

    @Test func retrySaysWhyAndWhichAttemptComes() {
        let note = RunNote.retry(
            url: "http://a/",
            attempt: 3,
            delay: .seconds(2),
            reason: Self.refused
        )
        let fields = fields(note)
        #expect(fields["attempt"] == "3" && fields["code"] == "transport")
        #expect(fields["reason"] == "connection refused")
        #expect(fields["seconds"].flatMap { Double($0) } == 2)
    }

    // MARK: Pending notes

    @Test func noteBelowTheLevelIsNotEvenMade() {
        let made = Counter()
        func note() -> RunNote {
            made.increment()
            return .listEnded(nil)
        }
        var silent = NoteBuffer(level: nil)
        silent.add(.critical) { note() }
        #expect(!silent.isRecording && made.value == 0 && silent.take().isEmpty)
        var buffer = NoteBuffer(level: .info)
        buffer.add(.debug) { note() }
        #expect(buffer.isRecording && made.value == 0)
        buffer.add(.info) { note() }
        buffer.add(.error) { note() }
        #expect(made.value == 2 && buffer.take().count == 2)
    }

    @Test func notesAreTakenOnceInTheirOrder() {
        var buffer = NoteBuffer(level: .trace)
        for attempt in 1...3 {
            buffer.add(.trace) { .attemptStarted(url: "http://a/", attempt: attempt) }
        }
        #expect(buffer.take().map { fields($0)["attempt"] } == ["1", "2", "3"])
        #expect(buffer.take().isEmpty)
    }

    private func breakerChanges() -> [HostQueues<FetchJob>.BreakerRecord] {
        let end = start.advanced(by: .seconds(7))
        return [
            ("a:80", .opened, end, Self.refused), ("b:80", .gaveUp, end, nil),
            ("a:80", .closed, start, nil),
        ]
    }

    @Test func breakerChangesAreWarningsWithTheirPause() throws {
        var buffer = NoteBuffer(level: .trace)
        buffer.add(breakerChanges(), at: start.advanced(by: .seconds(2)))
        let notes = buffer.take()
        try #require(notes.count == 3)
        #expect(
            lines(notes) == [
                "warning breaker opened", "warning breaker gave up on host", "info breaker closed",
            ]
        )
        let opened = fields(notes[0])
        #expect(opened["host"] == "a:80" && opened["reason"] == "connection refused")
        #expect(opened["seconds"].flatMap { Double($0) } == 5)
        #expect(fields(notes[1])["reason"]?.isEmpty == true)
        #expect(fields(notes[2]) == ["host": "a:80"])
    }

    @Test func closedBreakerIsLeftOutOfAWarningLog() {
        var buffer = NoteBuffer(level: .warning)
        buffer.add(breakerChanges(), at: start)
        #expect(buffer.take().count == 2)
    }
}
