import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BatchFetch

/// Runs that revalidate the responses of earlier runs.
@Suite(.timeLimit(.minutes(10))) struct RevalidationTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func run(
        _ requests: [BatchRequest],
        since: String? = nil,
        to results: String,
        existing: FileNaming.Existing = .overwrite,
        lookAhead: Int = 10_000,
        onResult: (_ count: Int) -> Void = { _ in }
    ) async throws -> (results: [BatchResult], summary: BatchSummary) {
        var configuration = BatchConfiguration(
            retry: BatchRetryPolicy(limit: 2, baseDelay: .milliseconds(1)),
            output: .directory(folder.path("out"), naming: FileNaming(existing: existing))
        )
        configuration.digests = [.sha256]
        configuration.timeouts.stall = .seconds(600)
        configuration.lookAhead = lookAhead
        configuration.since = try since.map { try EarlierResponses(path: folder.path($0)) }
        let log = try ResultLog(path: folder.path(results))
        let run = try Batch(configuration).start(.requests(requests))
        var all: [BatchResult] = []
        for await result in run {
            log.append(result)
            all.append(result)
            onResult(all.count)
        }
        try log.close()
        return (all.sorted { $0.ordinal < $1.ordinal }, run.summary)
    }

    /// Answers with validators, and with 304 if the request has a matching one.
    private static func answer(
        _ request: RecordedRequest,
        _ text: String,
        etag: String? = nil,
        date: String? = nil
    ) -> Reply {
        let isSame =
            etag.map { request.header("If-None-Match") == $0 }
            ?? date.map { request.header("If-Modified-Since") == $0 } ?? false
        var reply = isSame ? Reply.status(304) : .text(text)
        if let etag { reply.headers.append(("ETag", etag)) }
        if let date { reply.headers.append(("Last-Modified", date)) }
        return reply
    }

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test func spilledURLsAreRevalidatedToo() async throws {
        let gate = Gate()
        let slow = try LoopbackServer { request in
            let reply = Self.answer(request, "slow", etag: "\"s\"")
            return request.header("If-None-Match") == nil ? reply : reply.after(gate)
        }
        let quick = try LoopbackServer { Self.answer($0, "quick", etag: "\"q\"") }
        let list = [slow, quick].flatMap { server in
            (0..<300).map { BatchRequest(url: "\(server.url)/\($0)") }
        }
        _ = try await run(list, to: "1")
        let (results, _) = try await run(list, since: "1", to: "2", lookAhead: 50) { count in
            if count == 300 { gate.open() }
        }
        #expect(results.count == 600 && results.allSatisfy { $0.isUnchanged && $0.status == 304 })
    }

    @Test(arguments: [
        (Optional("\"a\""), String?.none), ("W/\"a\"", nil), (nil, date), ("\"a\"", date),
    ])
    func unchangedBodyIsNotFetched(etag: String?, date: String?) async throws {
        let server = try LoopbackServer { Self.answer($0, "hello", etag: etag, date: date) }
        let list = [BatchRequest(url: "\(server.url)/a")]
        let first = try await run(list, to: "1")
        #expect(first.results.first?.isUnchanged == false)
        var since = "1"
        // Each run's results suffice for the next run.
        for next in ["2", "3"] {
            let (results, summary) = try await run(list, since: since, to: next)
            let result = try #require(results.first)
            #expect(result.isUnchanged && result.isFetched && result.status == 304)
            #expect(result.path == first.results.first?.path)
            #expect(result.bytes == 5)
            #expect(result.digests == first.results.first?.digests)
            #expect(result.etag == etag && result.lastModified == date)
            #expect(summary.progress.unchanged == 1 && summary.progress.fetched == 0)
            #expect(summary.progress.bytes == 0)
            since = next
        }
        #expect(server.requestCount == 3)
        #expect(server.requests.last?.header("If-None-Match") == etag)
        #expect(server.requests.last?.header("If-Modified-Since") == (etag == nil ? date : nil))
    }

    @Test(arguments: FileNaming.Existing.allCases)
    func changedBodyReplacesTheEarlierFile(existing: FileNaming.Existing) async throws {
        let isNew = Gate()
        let server = try LoopbackServer { request in
            Self.answer(
                request,
                isNew.isOpen ? "newer" : "old",
                etag: isNew.isOpen ? "\"2\"" : "\"1\""
            )
        }
        let list = [BatchRequest(url: "\(server.url)/a")]
        let first = try await run(list, to: "1", existing: existing)
        isNew.open()
        let second = try await run(list, since: "1", to: "2", existing: existing)
        let result = try #require(second.results.first)
        #expect(result.status == 200 && !result.isUnchanged && result.isFetched, "\(result)")
        let path = try #require(result.path)
        #expect(path == first.results.first?.path)
        #expect(try folder.read("out/\(path)") == Array("newer".utf8))
        #expect(result.etag == "\"2\"")
    }

    @Test func missingOrTruncatedBodyIsFetchedAgain() async throws {
        let server = try LoopbackServer { Self.answer($0, "hello", etag: "\"1\"") }
        let list = ["a", "b"].map { BatchRequest(url: "\(server.url)/\($0)") }
        let first = try await run(list, to: "1")
        let gone = folder.path("out/\(try #require(first.results.first?.path))")
        let cut = folder.path("out/\(try #require(first.results.last?.path))")
        try FileManager.default.removeItem(atPath: gone)
        try Data("hell".utf8).write(to: URL(fileURLWithPath: cut))
        let second = try await run(list, since: "1", to: "2")
        #expect(second.results.map(\.status) == [200, 200])
        #expect(server.requests.allSatisfy { $0.header("If-None-Match") == nil })
        #expect(FileManager.default.contents(atPath: gone) == Data("hello".utf8))
    }

    @Test func conditionIsSentOnlyToTheURLOfTheValidator() async throws {
        let other = try LoopbackServer { Self.answer($0, "other", etag: "\"1\"") }
        let hasMoved = Gate()
        let server = try LoopbackServer { request in
            switch request.target {
            case "/from": .redirect(to: "/to")
            case "/to" where hasMoved.isOpen: .redirect(to: "\(other.url)/to")
            default: Self.answer(request, "hello", etag: "\"1\"")
            }
        }
        let list = [BatchRequest(url: "\(server.url)/from")]
        _ = try await run(list, to: "1")
        let second = try await run(list, since: "1", to: "2")
        #expect(second.results.first?.isUnchanged == true)
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, nil, nil, "\"1\""])
        hasMoved.open()
        let third = try await run(list, since: "2", to: "3")
        #expect(third.results.first?.status == 200)
        #expect(other.requests.map { $0.header("If-None-Match") } == [nil])
    }

    @Test func busyServerIsRetriedWithTheCondition() async throws {
        let counter = Counter()
        let server = try LoopbackServer { request in
            counter.increment()
            return counter.value == 2 ? .status(503) : Self.answer(request, "hello", etag: "\"1\"")
        }
        let list = [BatchRequest(url: "\(server.url)/a")]
        _ = try await run(list, to: "1")
        let second = try await run(list, since: "1", to: "2")
        #expect(second.results.first?.isUnchanged == true)
        #expect(second.results.first?.attempts == 2)
    }

    @Test func otherMethodsAndOwnConditionsAreKept() async throws {
        let server = try LoopbackServer { request in
            request.header("If-None-Match") == "\"own\""
                ? .status(304) : Self.answer(request, "hello", etag: "\"1\"")
        }
        let plain = ["a", "b"].map { BatchRequest(url: "\(server.url)/\($0)") }
        _ = try await run(plain, to: "1")
        var list = plain
        list[0].method = .post
        list[1].headerFields[.ifNoneMatch] = "\"own\""
        let second = try await run(list, since: "1", to: "2")
        #expect(second.results.map(\.isUnchanged) == [false, false])
        #expect(second.results.map(\.status) == [200, 304])
        #expect(second.results.last?.isFetched == false)
        let requested = server.requests.dropFirst(2)
        #expect(requested.first { $0.method == "POST" }?.header("If-None-Match") == nil)
        #expect(requested.first { $0.method == "GET" }?.header("If-None-Match") == "\"own\"")
    }

    @Test func commandCountsUnchangedURLs() async throws {
        let server = try LoopbackServer { Self.answer($0, "hello", etag: "\"1\"") }
        let list = try folder.write("\(server.url)/a\n\(server.url)/b\n", to: "list")
        let output = ["--output", folder.path("pages"), list]
        let first = try CommandRun(["--results", folder.path("1")] + output)
        #expect(try await first.ending().status == 0)
        let arguments =
            [
                "--since", folder.path("1"), "--results", folder.path("2"), "--journal",
                folder.path("journal"), "--summary-json", folder.path("summary"), "--report",
                folder.path("report"),
            ] + output
        var ending = try await CommandRun(arguments).ending()
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.output.contains("2 unchanged"), "\(ending.output)")
        let summary = String(decoding: try folder.read("summary"), as: UTF8.self)
        #expect(summary.contains("\"unchanged\":2"))
        let report = String(decoding: try folder.read("report"), as: UTF8.self)
        #expect(report.contains("unchanged"))
        // In a journal they are completed.
        ending = try await CommandRun(arguments).ending()
        #expect(ending.status == 0, "\(ending)")
        #expect(server.requestCount == 4)
        ending = try await CommandRun(["--since", list, "--results", folder.path("3")] + output)
            .ending()
        #expect(ending.errors.contains("lines that aren't results"))
        ending = try await CommandRun(
            ["--since", folder.path("1"), "--results", folder.path("1")] + output
        ).ending()
        #expect(ending.status == 2)
        #expect(try folder.read("1").isEmpty == false)
    }
}
