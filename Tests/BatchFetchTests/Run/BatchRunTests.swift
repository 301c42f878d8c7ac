import CurlResilience
import TestSupport
import Testing

@testable import BatchFetch

/// Runs with a scripted transport.
@Suite(.timeLimit(.minutes(10))) struct BatchRunTests {
    private static let quickRetry = BatchRetryPolicy(
        limit: 3,
        baseDelay: .milliseconds(1),
        maximumRetryAfter: .milliseconds(20)
    )

    private func allResults(of run: BatchRun) async -> [BatchResult] {
        var results: [BatchResult] = []
        for await result in run { results.append(result) }
        return results
    }

    @Test func eachURLHasOneResult() async throws {
        let urls = (0..<5000).map { "http://host\($0 % 37)/\($0)" }
        let fetcher = ScriptedFetcher { _, _ in .success }
        let run = try Batch().start(.urls(urls), fetcher: fetcher)
        let results = await allResults(of: run)
        #expect(results.map(\.url).sorted() == urls.sorted())
        #expect(Set(results.map(\.line)) == Set(1...5000))
        #expect(results.allSatisfy { $0.isFetched && $0.attempts == 1 })
        #expect(run.summary.progress.fetched == 5000)
        #expect(run.progress.inFlight == 0)
        #expect(run.progress.waiting == 0)
    }

    @Test func emptyListCompletes() async throws {
        let run = try Batch().start(.urls([String]()), fetcher: ScriptedFetcher { _, _ in nil })
        #expect(await allResults(of: run).isEmpty)
    }

    @Test func malformedLinesFailAndOthersAreFetched() async throws {
        let fetcher = ScriptedFetcher { _, _ in .success }
        let run = try Batch().start(
            .urls(["http://a/", "nonsense", "ftp://b/", "http://c/"]),
            fetcher: fetcher
        )
        let results = await allResults(of: run).sorted { $0.line < $1.line }
        #expect(results.map(\.isFetched) == [true, false, false, true])
        #expect(results[1].failure?.code == .invalidURL)
        #expect(results[1].attempts == 0)
    }

    @Test func concurrencyLimitsAreObeyed() async throws {
        let urls = (0..<400).map { "http://host\($0 % 4)/\($0)" }
        let fetcher = ScriptedFetcher { _, _ in nil }
        let configuration = BatchConfiguration(concurrency: 10, concurrencyPerHost: 3)
        let run = try Batch(configuration).start(.urls(urls), fetcher: fetcher)
        async let all = allResults(of: run)
        for ended in 0..<400 {
            // All places are in use until near the end of the list.
            try await fetcher.pending(ended < 350 ? 10 : 1)
            fetcher.endOne()
        }
        #expect(await all.count == 400)
        #expect(fetcher.most == 10)
        for host in 0..<4 { #expect(fetcher.most(of: "host\(host):80") == 3) }
    }

    @Test func slowHostDelaysNoOtherHost() async throws {
        let urls = (0..<500).map { "http://slow/\($0)" } + (0..<500).map { "http://b\($0)/" }
        let fetcher = ScriptedFetcher { target, _ in target.host == "slow" ? nil : .success }
        let configuration = BatchConfiguration(concurrency: 20, concurrencyPerHost: 2)
        let run = try Batch(configuration).start(.urls(urls), fetcher: fetcher)
        var iterator = run.makeAsyncIterator()
        for _ in 0..<500 {
            let result = try #require(await iterator.next())
            #expect(!result.url.hasPrefix("http://slow"))
        }
        run.cancel()
        while let result = await iterator.next() {
            #expect(result.failure?.code == .cancelled)
        }
    }

    @Test func listIsReadOnlyAsFarAsTheLookAhead() async throws {
        let counter = Counter()
        let endless = BatchInput.generated { number in
            counter.increment()
            return "http://host\(number)/"
        }
        let fetcher = ScriptedFetcher { _, _ in nil }
        let configuration = BatchConfiguration(concurrency: 5, lookAhead: 300)
        let run = try Batch(configuration).start(endless, fetcher: fetcher)
        try await Inspection.wait { run.progress.waiting >= 300 }
        #expect(run.progress.inFlight == 5)
        // One more portion of lines may have been read.
        #expect(counter.value <= 305 + 2 * 128)
        run.cancel()
        #expect(await allResults(of: run).count == 5)
    }

    @Test func slowConsumerSlowsTheRunDown() async throws {
        let counter = Counter()
        let fetcher = ScriptedFetcher { _, _ in
            counter.increment()
            return .success
        }
        let configuration = BatchConfiguration(
            concurrency: 10,
            lookAhead: 100,
            output: .memory(limit: 1)
        )
        let urls = (0..<10_000).map { "http://host\($0)/" }
        let run = try Batch(configuration).start(.urls(urls), fetcher: fetcher)
        try await Inspection.wait { run.progress.waiting >= 100 }
        #expect(counter.value <= 20)
        #expect(await allResults(of: run).count == 10_000)
    }

    @Test func temporaryFailuresAreRetried() async throws {
        let fetcher = ScriptedFetcher { target, attempt in
            switch target.host {
            case "third": attempt < 3 ? .status(503) : .success
            case "never": .status(500)
            case "gone": .status(404)
            default: .failing(.transport, .transfer(isTransient: true, mayHaveReachedServer: true))
            }
        }
        let run = try Batch(BatchConfiguration(retry: Self.quickRetry)).start(
            .urls(["http://third/", "http://never/", "http://gone/", "http://lost/"]),
            fetcher: fetcher
        )
        let results = await allResults(of: run).sorted { $0.line < $1.line }
        #expect(results.map(\.attempts) == [3, 4, 1, 4])
        #expect(results.map(\.isFetched) == [true, false, false, false])
        #expect(results.map(\.status) == [200, 500, 404, nil])
        #expect(run.summary.progress.retries == 8)
        #expect(run.summary.topFailures.map(\.name) == ["status 404", "status 500", "transport"])
    }

    @Test func retryAfterPausesTheWholeHost() async throws {
        let order = Recorder()
        let fetcher = ScriptedFetcher { target, attempt in
            order.append(target.url)
            return target.url == "http://busy/1" && attempt == 1
                ? .status(429, retryAfter: "5") : .success
        }
        let configuration = BatchConfiguration(
            concurrency: 1,
            concurrencyPerHost: 1,
            retry: Self.quickRetry
        )
        let run = try Batch(configuration).start(
            .urls(["http://busy/1", "http://busy/2", "http://other/"]),
            fetcher: fetcher
        )
        #expect(await allResults(of: run).count == 3)
        // The other host continued; the busy one restarted with the URL that had waited longest.
        #expect(
            order.values == [
                "http://busy/1", "http://other/", "http://busy/1", "http://busy/2",
            ]
        )
    }

    /// Other URLs wait for their first attempts.
    @Test func retryAfterPausesTheHostWithoutARetry() async throws {
        let order = Recorder()
        let fetcher = ScriptedFetcher { target, _ in
            order.append(target.url)
            return target.url == "http://busy/1" ? .status(503, retryAfter: "5") : .success
        }
        let retry = BatchRetryPolicy(limit: 0, maximumRetryAfter: .milliseconds(20))
        let run = try Batch(
            BatchConfiguration(concurrency: 1, concurrencyPerHost: 1, retry: retry)
        ).start(
            .urls(["http://busy/1", "http://busy/2", "http://other/"]),
            fetcher: fetcher
        )
        #expect(await allResults(of: run).map(\.attempts) == [1, 1, 1])
        #expect(order.values == ["http://busy/1", "http://other/", "http://busy/2"])
    }

    @Test func stopLetsAttemptsInFlightComplete() async throws {
        let fetcher = ScriptedFetcher { _, _ in nil }
        let urls = (0..<1000).map { "http://host\($0)/" }
        let run = try Batch(BatchConfiguration(concurrency: 7)).start(
            .urls(urls),
            fetcher: fetcher
        )
        try await fetcher.pending(7)
        run.stop()
        for _ in 0..<7 { fetcher.endOne() }
        let results = await allResults(of: run)
        #expect(results.count == 7)
        #expect(results.allSatisfy { $0.isFetched })
    }

    @Test func cancelledTaskCancelsTheRun() async throws {
        let fetcher = ScriptedFetcher { _, _ in nil }
        let run = try Batch(BatchConfiguration(concurrency: 3)).start(
            .urls((0..<100).map { "http://host\($0)/" }),
            fetcher: fetcher
        )
        let task = Task { await allResults(of: run) }
        try await fetcher.pending(3)
        task.cancel()
        let results = await task.value
        #expect(results.count == 3)
        #expect(results.allSatisfy { $0.failure?.code == .cancelled })
    }

    @Test func releasedRunEnds() async throws {
        let fetcher = ScriptedFetcher { _, _ in nil }
        do {
            let run = try Batch().start(
                .urls((0..<100).map { "http://host\($0)/" }),
                fetcher: fetcher
            )
            try await fetcher.pending(100)
            _ = run.progress
        }
        #expect(fetcher.pending.isEmpty)
    }

    @Test(arguments: [
        BatchConfiguration(concurrency: 0), BatchConfiguration(concurrencyPerHost: -1),
        BatchConfiguration(lookAhead: 0), BatchConfiguration(timeout: .zero),
        BatchConfiguration(retry: BatchRetryPolicy(limit: -1)),
        BatchConfiguration(eventLoopCount: 0),
    ])
    func invalidConfigurationIsRejected(configuration: BatchConfiguration) {
        let failure = #expect(throws: BatchFailure.self) {
            try Batch(configuration).start(.urls([]))
        }
        #expect(failure?.code == .configuration)
    }

    @Test func unreadableListFailsTheStart() {
        let failure = #expect(throws: BatchFailure.self) {
            try Batch().start(.file("/does/not/exist"))
        }
        #expect(failure?.code == .input)
        #expect(failure?.message.contains("/does/not/exist") == true)
    }
}
