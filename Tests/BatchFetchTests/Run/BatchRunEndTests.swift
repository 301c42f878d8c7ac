import TestSupport
import Testing

@testable import BatchFetch

/// The end of a run, and starts that must not have an effect.
@Suite(.timeLimit(.minutes(10))) struct BatchRunEndTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func results(of run: BatchRun) async -> [BatchResult] {
        var results: [BatchResult] = []
        for await result in run { results.append(result) }
        return results
    }

    @Test func iterationStaysAtItsEnd() async throws {
        let run = try Batch().start(
            .urls(["http://a/"]),
            fetcher: ScriptedFetcher { _, _ in .success }
        )
        var iterator = run.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
        #expect(await results(of: run).isEmpty)
    }

    @Test func endedRunKeepsItsProgress() async throws {
        let run = try Batch().start(
            .urls(["http://a/", "nonsense"]),
            fetcher: ScriptedFetcher { _, _ in .success }
        )
        _ = await results(of: run)
        let progress = run.progress
        #expect(progress.done == 2 && progress.expected == 2 && progress.isExpectedExact)
        #expect(run.progress == progress, "the elapsed time stands still")
        run.cancel()
        run.stop()
        #expect(run.progress == progress && run.stopFailure == nil && run.inputFailure == nil)
    }

    @Test func cancelAfterAStopAbortsTheRest() async throws {
        let fetcher = ScriptedFetcher { _, _ in nil }
        let run = try Batch(BatchConfiguration(concurrency: 3)).start(
            .urls((0..<50).map { "http://host\($0)/" }),
            fetcher: fetcher
        )
        try await fetcher.pending(3)
        run.stop()
        fetcher.endOne()
        run.cancel()
        let results = await results(of: run)
        #expect(results.count == 3)
        #expect(results.count { $0.isFetched } == 1)
        #expect(results.count { $0.failure?.code == .cancelled } == 2)
    }

    @Test func preparedBatchStartsOnlyOnce() async throws {
        let prepared = try Batch().preparePlan(.urls(["http://a/", "nonsense"]))
        let run = try prepared.start()
        let failure = #expect(throws: BatchFailure.self) { _ = try prepared.start() }
        #expect(failure?.code == .configuration)
        #expect(failure?.message.contains("prepare it again") == true)
        #expect(await results(of: run).count == 2, "the first run isn't affected")
    }

    @Test func planCreatesNoFile() async throws {
        let configuration = BatchConfiguration(output: .directory(folder.path("out")))
        let run = try Batch(configuration).plan(.urls(["http://a/x", "http://b/y"]))
        #expect(await results(of: run).count == 2)
        #expect(try folder.contents().isEmpty)
    }

    @Test func missingListCreatesNoOutput() throws {
        let configuration = BatchConfiguration(output: .directory(folder.path("out")))
        let failure = #expect(throws: BatchFailure.self) {
            try Batch(configuration).start(
                .file(folder.path("none")),
                fetcher: ScriptedFetcher { _, _ in .success }
            )
        }
        #expect(failure?.code == .input)
        #expect(try folder.contents().isEmpty)
    }

    @Test func runWithoutResultsLeavesNoPartsFolder() async throws {
        let configuration = BatchConfiguration(output: .directory(folder.path("out")))
        let run = try Batch(configuration).start(
            .urls([String]()),
            fetcher: ScriptedFetcher { _, _ in .success }
        )
        #expect(await results(of: run).isEmpty && run.outputFailure == nil)
        #expect(try folder.contents() == ["out"])
        #expect(try TemporaryDirectory.files(in: folder.path("out")).isEmpty)
    }

    // MARK: The signal that wakes the consumer

    @Test func signalBeforeTheWaitIsNotLost() async {
        let signal = ResultSignal()
        signal.signal()
        signal.signal()
        await signal.wait()
        signal.end()
        #expect(signal.isOver)
        await signal.wait()
        await signal.wait()
    }

    @Test func signalResumesAWaitingTask() async {
        let signal = ResultSignal()
        // Runs on this thread until it waits.
        let waiting = Task.immediate { await signal.wait() }
        signal.signal()
        await waiting.value
        #expect(!signal.isOver)
    }

    /// A second consumer is a mistake, which must not leave the first one suspended.
    @Test func laterWaitResumesTheEarlierOne() async {
        let signal = ResultSignal()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { await signal.wait() } }
            await group.next()
            signal.end()
            await group.next()
        }
        #expect(signal.isOver)
    }
}
