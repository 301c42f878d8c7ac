import Testing

@testable import BatchFetch
@testable import BatchFetchCommand

/// What a summary says about a run that ended early, and about failed URLs.
@Suite struct SummaryContextTests {
    /// A run of 1,500 URLs, of which 100 are done, one of them failed.
    private let progress = {
        var progress = BatchProgress()
        progress.fetched = 99
        progress.failed = 1
        progress.expected = 1500
        progress.isExpectedExact = true
        return progress
    }()

    private func context(signal: Int32?) -> SummaryContext {
        var context = SummaryContext()
        context.signal = signal
        return context
    }

    @Test(
        "Given a signal, then the summary names it",
        arguments: [(1, "SIGHUP"), (2, "SIGINT"), (15, "SIGTERM"), (10, "signal 10")]
    )
    func summaryNamesTheSignal(signal: Int32, name: String) {
        let line = context(signal: signal).lines(for: progress).first
        #expect(line?.hasPrefix("ended early by \(name), 1,400 URLs left: ") == true)
    }

    @Test("Given a run that lasted its maximum time, then the summary names the option")
    func summaryNamesTheTimeLimit() {
        var context = context(signal: nil)
        context.isTimeOver = true
        let line = context.lines(for: progress).first
        #expect(line?.hasPrefix("ended early by --max-time, 1,400 URLs left: ") == true)
        #expect(
            SummaryJSON.text(for: BatchSummary(), context, exitStatus: 124)
                .contains(#""ended_by":"--max-time","exit_status":124}"#)
        )
        // A signal during the time of grace counts.
        context.signal = 15
        #expect(context.endedBy == "SIGTERM")
    }

    @Test("Given one URL that isn't done, then the summary has it in the singular")
    func oneURLIsLeft() {
        var progress = progress
        progress.expected = 101
        let line = context(signal: 2).lines(for: progress).first
        #expect(line?.hasPrefix("ended early by SIGINT, 1 URL left: ") == true, "\(line ?? "none")")
    }

    @Test("Given a journal, then the same command resumes, and failed URLs need no advice")
    func journalResumes() {
        var context = context(signal: 2)
        context.hasJournal = true
        context.results = "r.jsonl"
        #expect(
            context.lines(for: progress) == [
                "ended early by SIGINT, 1,400 URLs left: repeat the same command to resume"
            ]
        )
        // A run that came to its end has nothing to resume.
        context.signal = nil
        #expect(
            context.lines(for: progress).map { $0.hasPrefix("the failed URLs are in r.jsonl: ") }
                == [true]
        )
    }

    @Test("Given results on the standard output, then no command reads them again")
    func standardOutputCannotBeReadAgain() {
        var context = context(signal: 2)
        context.results = "-"
        #expect(
            context.lines(for: progress) == [
                "ended early by SIGINT, 1,400 URLs left: runs with --journal and --results can be "
                    + "resumed"
            ]
        )
    }

    @Test("Given an unknown number of URLs, then the summary names the signal alone")
    func unknownTotalGivesNoNumber() {
        var progress = progress
        progress.expected = nil
        progress.isExpectedExact = false
        let line = context(signal: 1).lines(for: progress).first
        #expect(line?.hasPrefix("ended early by SIGHUP: ") == true, "\(line ?? "none")")
    }
}
