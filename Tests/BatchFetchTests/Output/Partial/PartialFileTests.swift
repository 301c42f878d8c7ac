import Foundation
import HTTPSemantics
import TestSupport
import Testing

@testable import BatchFetch

/// Downloads that break off and are resumed at that offset.
@Suite(.timeLimit(.minutes(10))) struct PartialFileTests {
    private let runs: PartialRuns

    init() throws {
        runs = try PartialRuns()
    }

    private static let body = PartBody(count: 2_097_161)
    /// A multiple neither of the page size nor of any buffer size.
    private static let half = 1_300_007

    /// Checks the request for the rest.
    private func expect(
        _ request: RecordedRequest?,
        requestsFrom first: Int,
        _ validator: String? = body.etag
    ) {
        #expect(request?.method == "GET")
        #expect(request?.header("Range") == "bytes=\(first)-")
        #expect(request?.header("If-Range") == validator)
        #expect(request?.headers("Accept-Encoding") == ["identity"])
    }

    @Test(arguments: [body, body.modified(asOf: PartBody.lateEnough)])
    func retryRequestsTheMissingRange(body: PartBody) async throws {
        let server = try PartServer(body, breaking: [Self.half])
        let results = try await runs.run([server.url])
        try runs.expectOnly(results.first, is: body.bytes, status: 206, attempts: 2)
        #expect(results.first?.etag == body.etag)
        #expect(server.requests.count == 2)
        #expect(server.requests.first?.requestsWholeBody == true)
        expect(server.requests.last, requestsFrom: Self.half, body.etag ?? body.lastModified)
        #expect(server.ledger.bodyBytes == body.count)
    }

    @Test func resultOfAResumedBodyEqualsThatOfAWholeOne() async throws {
        let server = try PartServer(Self.body, breaking: [Self.half])
        let folder = try TemporaryDirectory()
        var configuration = BatchConfiguration(output: .directory(folder.path))
        configuration.digests = [.md5]
        var results: [BatchResult] = []
        for await result in try Batch(configuration).start(.urls([server.url])) {
            results.append(result)
        }
        let result = try #require(results.first)
        #expect(result.isFetched && result.status == 206 && result.attempts == 2)
        #expect(result.bytes == Self.body.count)
        #expect(result.digests == [.md5: MessageDigest.of(Self.body.bytes, .md5)])
        #expect(result.finalURL == server.url)
    }

    @Test(
        arguments: [
            (PartAnswer.Ending.close, [String]()), (.stall, ["--stall-timeout", "2s"]),
            (.stall, ["--timeout", "5"]),
        ],
        [[], ["--journal"]]
    )
    func laterRunRequestsTheMissingRange(
        broken: (ending: PartAnswer.Ending, limit: [String]),
        journal: [String]
    ) async throws {
        let server = try PartServer(Self.body, breaking: [Self.half], broken.ending)
        let failed = try await runs.fail(broken.limit + [server.url])
        #expect(failed.error?.code == (broken.ending == .stall ? "timeout" : failed.error?.code))
        let isHalf = try PartialRuns.difference(runs.part(), Array(Self.body.bytes[..<Self.half]))
        #expect(isHalf == nil)
        let options = journal.flatMap { [$0, runs.path("journal")] }
        // For a journal a failed URL is completed: the first run has no journal, only the later
        // one.
        if !journal.isEmpty { _ = try runs.write("", to: "results") }
        let results = try await runs.run(options + [server.url])
        try runs.expectOnly(results.last, is: Self.body.bytes, status: 206)
        expect(server.requests.last, requestsFrom: Self.half)
        #expect(server.ledger.bodyBytes == Self.body.count)
    }

    @Test func connectionResetKeepsThePartialFile() async throws {
        let server = try PartServer(Self.body, breaking: [Self.half], .reset)
        let results = try await runs.run([server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 206, attempts: 2)
        let first = try #require(server.requests.last?.range?.first)
        #expect((1...Self.half).contains(first))
        expect(server.requests.last, requestsFrom: first)
    }

    @Test func consecutiveInterruptionsAccumulateBytes() async throws {
        let server = try PartServer(Self.body, breaking: [400_001, 1, 0, 900_000])
        let results = try await runs.run(["--retries", "4", server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 206, attempts: 5)
        let firsts = server.requests.map { $0.range?.first }
        #expect(firsts == [nil, 400_001, 400_002, 400_002, 1_300_002])
        #expect(server.ledger.bodyBytes == Self.body.count)
    }

    @Test(arguments: [false, true])
    func interruptedRunResumesPartialDownloads(hasJournal: Bool) async throws {
        let server = try PartServer(Self.body, breaking: [Self.half], .stall)
        let journal = hasJournal ? ["--journal", runs.path("journal")] : []
        let arguments =
            journal + ["--grace", "100ms", "--stall-timeout", "10m", server.url]
        let run = try runs.start(arguments)
        try await runs.parts(atLeast: 1 << 20)
        run.signal(SIGINT)
        #expect(try await run.ending().status == 128 + SIGINT)
        let results = try await runs.run(arguments)
        try runs.expectOnly(results.last, is: Self.body.bytes, status: 206)
        let first = try #require(server.requests.last?.range?.first)
        #expect((1 << 20...Self.half).contains(first))
        expect(server.requests.last, requestsFrom: first)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [false, true])
    func killedRunResumesPartialDownloads(hasJournal: Bool) async throws {
        let body = PartBody(count: 8 << 20 | 5, seed: 2)
        let server = try PartServer(body, breaking: [7_000_003, 500_000], .stall)
        let journal =
            hasJournal ? ["--journal", runs.path("journal"), "--journal-interval", "5"] : []
        let arguments = journal + ["--stall-timeout", "10m", server.url]
        // The second run is killed before it has added enough bytes to be recorded.
        for number in 0..<2 {
            let run = try runs.start(arguments)
            let first = try await server.server.requestHead(number).range?.first ?? 0
            let written = first + (number == 0 ? 6_500_000 : 300_000)
            try await runs.parts(in: written..<first + 7_000_004)
            run.signal(SIGKILL)
            #expect(try await run.ending().status == -SIGKILL)
        }
        let results = try await runs.run(arguments)
        try runs.expectOnly(results.first, is: body.bytes, status: 206)
        #expect(server.requests.count == 3)
        for request in server.requests.dropFirst() {
            let first = try #require(request.range?.first)
            #expect(first >= 6_500_000 - 4 << 20)
            expect(request, requestsFrom: first)
        }
    }

    @Test func partsFolderIsRemovedWithItsLastFile() async throws {
        let others = PartBody(count: 1_500_000, seed: 3)
        let server = try PartServer { _, request in
            // One body is short, one breaks off once, and one twice.
            let first = request.range?.first ?? 0
            switch request.path {
            case "/short": return .reply(.text("short"))
            case "/once": return .body(others).breaking(after: first == 0 ? 7 : .max)
            default: return .body(Self.body).breaking(after: first < 1_000_000 ? 500_000 : .max)
            }
        }
        let urls = ["/long", "/once", "/short"].map { server.server.url + $0 }
        var results = try await runs.run(["--retries", "0"] + urls, status: 1)
        #expect(results.map(\.ok) == [false, false, true])
        #expect(runs.parts()?.count == 4)
        results = try await runs.run(["--retries", "0"] + urls, status: 1)
        #expect(results.map(\.ok) == [false, true, true])
        #expect(runs.parts()?.count == 2)
        try runs.expect(results[1], is: others.bytes, status: 206)
        results = try await runs.run(["--retries", "0", urls[0]])
        try runs.expect(results[0], is: Self.body.bytes, status: 206)
        #expect(runs.parts() == nil)
    }

    @Test func otherOutputFolderHasItsOwnPartialFiles() async throws {
        let server = try PartServer(Self.body, breaking: [Self.half])
        try await runs.fail([server.url])
        let results = try await runs.run([server.url], output: "other")
        try runs.expect(results.first, is: Self.body.bytes, status: 200, output: "other")
        #expect(server.requests.last?.requestsWholeBody == true)
        #expect(runs.parts()?.count == 2)
    }

    @Test(arguments: [false, true])
    func concurrentRunDoesNotUseALockedPartialFile(isGoingOn: Bool) async throws {
        let stalled = isGoingOn ? 1 : 0
        let server = try PartServer { number, _ in
            let answer = PartAnswer.body(Self.body)
            if number > stalled { return answer }
            return answer.breaking(after: 700_001, number == stalled ? .stall : .close)
        }
        if isGoingOn { try await runs.fail([server.url]) }
        let run = try runs.start(["--stall-timeout", "10m", server.url], results: "others")
        let written = isGoingOn ? 1_200_000 : 600_000
        try await runs.parts(atLeast: written)
        var results = try await runs.run([server.url])
        try runs.expect(results.first, is: Self.body.bytes)
        #expect(try runs.part().count >= written)
        run.signal(SIGKILL)
        #expect(try await run.ending().status == -SIGKILL)
        results = try await runs.run([server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes)
    }

    @Test func twoLinesWithTheSameURLBothComplete() async throws {
        // The result doesn't depend on which line is fetched first.
        let server = try PartServer(Self.body, breaking: [Self.half, 1_100_000, 70_000])
        let lines = ["a", "b"].map { "{\"url\":\"\(server.url)\",\"out\":\"\($0)\"}\n" }
        let list = try runs.write(lines.joined(), to: "list.jsonl")
        let results = try await runs.run(["--dedupe", "off", list])
        #expect(results.map(\.path) == ["a", "b"])
        #expect(results.reduce(0) { $0 + $1.attempts } == 5)
        for result in results {
            try runs.expect(result, is: Self.body.bytes, attempts: result.attempts)
        }
        #expect(runs.parts() == nil)
    }
}
