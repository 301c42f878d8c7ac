import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Which lines of a list reach the run, and how the others are counted.
@Suite(.timeLimit(.minutes(10))) struct EntryFeedTests {
    private func start(
        _ input: BatchInput,
        skipping earlier: EarlierResults? = nil,
        _ change: (inout BatchInput.Options) -> Void
    ) throws -> BatchRun {
        var input = input
        change(&input.options)
        let fetcher = ScriptedFetcher { _, _ in .success }
        return try Batch().start(input, skipping: earlier, fetcher: fetcher)
    }

    private func results(of run: BatchRun) async -> [BatchResult] {
        var results: [BatchResult] = []
        for await result in run { results.append(result) }
        return results.sorted { $0.ordinal < $1.ordinal }
    }

    @Test func everyMalformedLineHasAResultAlsoIfItIsRepeated() async throws {
        let run = try start(.urls(["nonsense", "http://a/", "nonsense", "http://a/"])) {
            $0.deduplication = .normalised
        }
        let results = await results(of: run)
        #expect(results.map(\.ordinal) == [1, 2, 3])
        #expect(results.map(\.isFetched) == [false, true, false])
        #expect(run.progress.duplicates == 1 && run.progress.failed == 2)
    }

    @Test func duplicateOfAnEarlierResultIsNotFetched() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(
            "{\"ordinal\":1,\"url\":\"http://a/\",\"ok\":true}\n",
            to: "results"
        )
        let run = try start(
            .urls(["http://a/", "http://a/", "http://b/"]),
            skipping: try EarlierResults(paths: [path])
        ) { $0.deduplication = .exact }
        #expect(await results(of: run).map(\.ordinal) == [3])
        #expect(run.progress.skipped == 1 && run.progress.duplicates == 1)
        #expect(run.progress.expected == 1)
    }

    @Test("A duplicate has a result with the ordinal of the first, if the options say so")
    func duplicatesAreReported() async throws {
        let urls = ["http://a/", "http://b/", "HTTP://A/", "nonsense", "http://a:80/"]
        let run = try start(.urls(urls)) {
            $0.deduplication = .normalised
            $0.reportsDuplicates = true
        }
        let results = await results(of: run)
        #expect(results.map(\.ordinal) == [1, 2, 3, 4, 5])
        #expect(results.map(\.duplicateOf) == [nil, nil, 1, nil, 1])
        #expect(results[2].url == "HTTP://A/" && results[2].attempts == 0)
        #expect(run.progress.duplicates == 2 && run.progress.done == 3)
        #expect(run.progress.expected == 3)
        var line: [UInt8] = []
        results[4].appendJSONLine(to: &line)
        #expect(String(decoding: line, as: UTF8.self).contains("\"ok\":null,\"duplicate_of\":1,"))
    }

    @Test("Results of duplicates say nothing about their URL to a later run")
    func duplicatesDoNotCountAsEarlierResults() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(
            """
            {"ordinal":1,"url":"http://a/","ok":false}
            {"ordinal":2,"url":"http://a/","ok":true,"duplicate_of":1}
            {"ordinal":3,"url":"http://b/","ok":true}
            {"ordinal":4,"url":"http://b/","ok":null,"duplicate_of":3}

            """,
            to: "results"
        )
        let run = try start(
            .urls(["http://a/", "http://b/"]),
            skipping: try EarlierResults(paths: [path])
        ) { _ in }
        #expect(await results(of: run).map(\.url) == ["http://a/"])
    }

    @Test func manyDuplicatesAreCounted() async throws {
        let urls = [String](repeating: "http://a/", count: 1000)
        let run = try start(.urls(urls)) { $0.deduplication = .exact }
        #expect(await results(of: run).map(\.ordinal) == [1])
        #expect(run.progress.duplicates == 999)
    }

    /// No line of these lists ever reaches the run, so only the reader can notice the stop.
    @Test(arguments: [false, true])
    func listWithoutNewURLsEndsWhenTheRunStops(isSharded: Bool) async throws {
        let shards = try (0..<2).map { try #require(InputShard(index: $0, count: 2)) }
        let other = try #require(
            shards.first { !$0.contains(entry("http://other/")) }
        )
        let endless = BatchInput.generated { _ in "http://other/" }
        let run = try start(endless) { options in
            if isSharded { options.shard = other } else { options.deduplication = .exact }
        }
        var iterator = run.makeAsyncIterator()
        if !isSharded { #expect(await iterator.next()?.isFetched == true) }
        run.stop()
        #expect(await iterator.next() == nil)
        #expect(run.inputFailure == nil)
    }

    @Test(arguments: 0..<4)
    func strictRunIgnoresMalformedLinesOfOtherParts(index: Int) async throws {
        let shard = try #require(InputShard(index: index, count: 4))
        let isOwn = shard.contains(entry("nonsense"))
        let run = try start(.urls(["nonsense"])) { options in
            options.shard = shard
            options.isStrict = true
        }
        #expect(await results(of: run).count == (isOwn ? 1 : 0))
        #expect((run.inputFailure != nil) == isOwn)
        guard isOwn else { return }
        #expect(run.inputFailure?.code == .input)
        let message = run.inputFailure?.message ?? ""
        #expect(message.hasPrefix("line 1 is malformed, which ends a strict run: "))
        #expect(message.contains("nonsense"))
    }

    @Test func linesAcrossSeveralPortionsKeepTheirNumbers() async throws {
        let urls = (1...1000).map { $0 % 100 == 0 ? "bad\($0)" : "http://h\($0)/" }
        let run = try start(.urls(urls)) { _ in }
        let results = await results(of: run)
        #expect(results.map(\.ordinal) == Array(1...1000))
        #expect(results.map(\.url) == urls)
        #expect(run.progress.failed == 10 && run.progress.fetched == 990)
    }

    /// The entry of the first line.
    private func entry(_ text: String) -> InputEntry {
        InputEntry(InputLine(number: 1, content: .text(text)), at: .now)
    }
}
