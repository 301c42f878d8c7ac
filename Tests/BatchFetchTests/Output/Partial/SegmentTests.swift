import Foundation
import HTTPSemantics
import TestSupport
import Testing

@testable import BatchFetch

/// Long bodies that are fetched in several concurrent ranges.
@Suite(.timeLimit(.minutes(10)), .serialized) struct SegmentTests {
    private let runs: PartialRuns

    init() throws {
        runs = try PartialRuns()
    }

    private static let body = PartBody(count: 33_554_443, seed: 9)
    private static let changed = PartBody(count: 33_554_500, seed: 10).with(etag: "\"2\"")

    @Test func segmentsAreFetchedConcurrentlyAndJoined() async throws {
        let gate = Gate()
        let server = try PartServer { _, _ in .body(Self.body).held(until: gate) }
        // The server sends no body before the segments' limit of requests is in flight.
        server.ledger.open(gate, atOnce: 4)
        let results = try await runs.run(["--segments", "4", server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes)
        #expect(server.ledger.most(limit: 4) == 4)
        #expect(server.ledger.bodyBytes < Self.body.count * 3 / 2)
        for request in server.requests where request.range != nil {
            #expect(request.header("If-Range") == Self.body.etag)
            #expect(request.headers("Accept-Encoding") == ["identity"])
        }
    }

    @Test(arguments: [
        // Too short, a weak validator, only a date, a server without ranges; and without the
        // option.
        (PartAnswer.body(PartBody(count: 32 << 20 - 1, seed: 9)), ["--segments", "4"]),
        (.body(body.with(etag: "W/\"1\"")), ["--segments", "4"]),
        (.body(body.modified(asOf: PartBody.lateEnough)), ["--segments", "4"]),
        (.body(body).whole(), ["--segments", "4"]),
        (.body(body), ["--segments", "1"]), (.body(body), []),
    ])
    func unsuitableBodyIsFetchedInOnePiece(answer: PartAnswer, options: [String]) async throws {
        let server = try PartServer { _, _ in answer }
        let results = try await runs.run(options + [server.url])
        try runs.expectOnly(results.first, is: answer.body.bytes, status: 200)
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.requestsWholeBody == true)
    }

    @Test func segmentsObeyTheConcurrencyLimitOfTheHost() async throws {
        let gate = Gate()
        let server = try PartServer { _, request in
            request.path == "/short"
                ? .reply(.text("x")) : .body(Self.body).held(until: gate)
        }
        // The server sends no body before the host's limit of requests is in flight.
        server.ledger.open(gate, atOnce: 2)
        let urls = [server.url, server.server.url + "/short", server.url + "?2"]
        let results = try await runs.run(["--segments", "4", "--per-host", "2"] + urls)
        try runs.expect(results[0], is: Self.body.bytes)
        #expect(results[1].ok)
        try runs.expect(results[2], is: Self.body.bytes)
        #expect(runs.parts() == nil)
        #expect(server.ledger.most(limit: 2) == 2)
    }

    @Test(arguments: [["--delay", "400ms"], ["--host-rate", "150/m"], ["--rate", "150/m"]])
    func segmentsObeyTheRateLimits(pace: [String]) async throws {
        let server = try PartServer { _, _ in .body(Self.body) }
        let start = ContinuousClock.now
        let results = try await runs.run(["--segments", "3"] + pace + [server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes)
        let arrivals = server.ledger.arrivals
        let last = try #require(arrivals.last)
        #expect(arrivals.count >= 3)
        // The first request may have arrived late, so its arrival time isn't used.
        #expect(last - start >= .milliseconds(400) * (arrivals.count - 1))
    }

    @Test func bodyLimitAppliesToTheWholeBody() async throws {
        let server = try PartServer { _, _ in .body(Self.body) }
        // More than one range, and less than all of them.
        let failed = try await runs.fail(["--segments", "3", "--max-bytes", "20M", server.url])
        #expect(failed.error?.code == "body_too_large")
        #expect(server.requests.count == 1, "as soon as its length is known")
        #expect(runs.parts() == nil)
    }

    /// A server that pauses all ranges when more than half is sent. No range completes: the first
    /// request is for the whole body, and the bytes that the server sends beyond its range would be
    /// lost.
    private func pausingServer(until gate: Gate) throws -> PartServer {
        let begin = Gate()
        let server = try PartServer(pause: (5 << 20, gate)) { _, _ in
            .body(Self.body).held(until: begin)
        }
        server.ledger.open(begin, atOnce: 4)
        return server
    }

    /// The bytes on disk at that moment; only those in memory buffers are missing.
    private static let halfway = 20 << 20 - 512 << 10

    @Test func killedRunResumesTheMissingSegments() async throws {
        let gate = Gate()
        let server = try pausingServer(until: gate)
        let arguments = ["--segments", "4", "--stall-timeout", "10m", server.url]
        let run = try runs.start(arguments)
        try await runs.parts(atLeast: Self.halfway)
        run.signal(SIGKILL)
        #expect(try await run.ending().status == -SIGKILL)
        let before = server.ledger.bodyBytes
        gate.open()
        let results = try await runs.run(arguments)
        try runs.expectOnly(results.first, is: Self.body.bytes)
        // Up to 4 MiB of the received bytes may have to be fetched again.
        #expect(server.ledger.bodyBytes - before < 20 << 20)
        #expect(server.ledger.most > 1)
    }

    @Test(arguments: [false, true])
    func concurrentRunDoesNotUseALockedSegmentedFile(isGoingOn: Bool) async throws {
        let gate = Gate()
        let server = try pausingServer(until: gate)
        let arguments = ["--segments", "4", "--stall-timeout", "10m", server.url]
        if isGoingOn {
            let before = try runs.start(arguments)
            try await runs.parts(atLeast: Self.halfway)
            before.signal(SIGKILL)
            _ = try await before.ending()
            gate.open()
        }
        let first = try runs.start(arguments, results: "others")
        try await runs.parts(atLeast: Self.halfway)
        gate.open()
        let results = try await runs.run(["--segments", "4", server.url])
        let result = try #require(results.first)
        try runs.expect(result, is: Self.body.bytes, attempts: result.attempts)
        #expect(try await first.ending().status == 0)
        #expect(runs.parts() == nil)
    }

    @Test func resumedRunMayUseFewerSegments() async throws {
        let gate = Gate()
        let server = try pausingServer(until: gate)
        let run = try runs.start(["--segments", "4", "--stall-timeout", "10m", server.url])
        try await runs.parts(atLeast: Self.halfway)
        run.signal(SIGKILL)
        #expect(try await run.ending().status == -SIGKILL)
        try await server.server.openConnections(0)
        server.ledger.reset()
        gate.open()
        let results = try await runs.run(["--segments", "2", server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes)
        #expect(server.ledger.most(limit: 2) <= 2)
        #expect(server.ledger.bodyBytes < Self.body.count)
    }

    @Test func interruptedRunResumesTheMissingSegments() async throws {
        let gate = Gate()
        let server = try pausingServer(until: gate)
        let arguments = [
            "--segments", "4", "--grace", "100ms", "--stall-timeout", "10m", server.url,
        ]
        let run = try runs.start(arguments)
        try await runs.parts(atLeast: Self.halfway)
        run.signal(SIGINT)
        #expect(try await run.ending().status == 128 + SIGINT)
        try await server.server.openConnections(0)
        server.ledger.reset()
        gate.open()
        let results = try await runs.run(arguments)
        try runs.expectOnly(results.first, is: Self.body.bytes)
        #expect(server.ledger.bodyBytes < 20 << 20)
    }

    @Test func segmentsAreRequestedFromTheRedirectTarget() async throws {
        let server = try PartServer { _, request in
            request.path == "/from" ? .reply(.redirect(to: "/body?1")) : .body(Self.body)
        }
        let url = server.server.url + "/from"
        let results = try await runs.run(["--segments", "4", url])
        try runs.expectOnly(results.first, is: Self.body.bytes)
        #expect(results.first?.final_url == server.url + "?1")
        #expect(server.requests.count { $0.path == "/body" && $0.range != nil } >= 3)
        #expect(server.requests.allSatisfy { $0.path == "/body" || $0.requestsWholeBody })
    }

    /// How a server shows that a body has changed.
    enum Change: CaseIterable {
        case whole, part, noSuchPart, redirect
    }

    @Test(arguments: Change.allCases)
    func bodyThatChangesBetweenSegmentsRestarts(change: Change) async throws {
        let short = PartBody(count: 1000, seed: 12).with(etag: "\"2\"")
        let changed = change == .noSuchPart ? short : Self.changed
        let server = try PartServer { number, request in
            if number == 0 { return .body(Self.body) }
            if change == .redirect, request.path != "/moved" {
                return .reply(.redirect(to: "/moved"))
            }
            var answer = PartAnswer.body(changed)
            // Ignores the validator of the old body.
            answer.ignoresCondition = change != .whole
            return answer
        }
        let results = try await runs.run(["--segments", "3", server.url])
        try runs.expectOnly(results.first, is: changed.bytes, attempts: results[0].attempts)
        #expect(results.first?.etag == "\"2\"")
    }

    @Test func failedSegmentKeepsTheOthers() async throws {
        let turn = Counter()
        let server = try PartServer { _, request in
            guard let first = request.range?.first, first > Self.body.count / 2 else {
                return .body(Self.body)
            }
            turn.increment()
            return turn.value == 1 ? .reply(.text("later", status: 503)) : .body(Self.body)
        }
        let results = try await runs.run(["--segments", "4", server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes, attempts: results[0].attempts)
        #expect(turn.value >= 2)
        #expect(server.ledger.bodyBytes < Self.body.count * 3 / 2)
    }

    @Test func interruptedSegmentIsResumed() async throws {
        let turn = Counter()
        let server = try PartServer { _, request in
            let answer = PartAnswer.body(Self.body)
            guard let first = request.range?.first, first > Self.body.count / 2 else {
                return answer
            }
            turn.increment()
            return turn.value == 1 ? answer.breaking(after: 1_000_003) : answer
        }
        let results = try await runs.run(["--segments", "4", server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes, attempts: results[0].attempts)
        #expect(server.ledger.bodyBytes < Self.body.count * 3 / 2)
    }

    @Test(arguments: [true, false])
    func checksumCoversTheWholeBody(isRight: Bool) async throws {
        let server = try PartServer { _, _ in .body(Self.body) }
        let expected = isRight ? Self.body.bytes : Self.changed.bytes
        let digest = Hexadecimal.text(MessageDigest.of(expected, .sha256))
        let list = try runs.write(
            "{\"url\":\"\(server.url)\",\"sha256\":\"\(digest)\"}\n",
            to: "list.jsonl"
        )
        let results = try await runs.run(["--segments", "3", list], status: isRight ? 0 : 1)
        let result = try #require(results.first)
        if isRight {
            try runs.expectOnly(result, is: Self.body.bytes)
        } else {
            #expect(result.error?.code == "verification" && result.attempts == 2)
            #expect(runs.parts() == nil)
            #expect(try TemporaryDirectory.files(in: runs.path("out")).isEmpty)
        }
    }
}
