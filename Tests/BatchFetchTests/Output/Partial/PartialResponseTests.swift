import TestSupport
import Testing

/// Servers' answers to requests for the rest of a body.
@Suite(.timeLimit(.minutes(10))) struct PartialResponseTests {
    private let runs: PartialRuns

    init() throws {
        runs = try PartialRuns()
    }

    private static let body = PartBody(count: 2_097_161)
    private static let half = 1_300_007
    private static let rest = "bytes 1300007-2097160/2097161"

    /// Breaks off the first answer; then sends `second`, and then the body.
    private func server(_ second: PartAnswer) throws -> PartServer {
        try PartServer { number, _ in
            switch number {
            case 0: .body(Self.body).breaking(after: Self.half)
            case 1: second
            default: .body(Self.body)
            }
        }
    }

    @Test(arguments: [3 << 20, 1_400_000, 1_300_007, 1000, 0])
    func changedBodyRestarts(count: Int) async throws {
        let body = PartBody(count: count, seed: 5).with(etag: "\"2\"")
        let server = try server(.body(body))
        let results = try await runs.run([server.url])
        try runs.expectOnly(results.first, is: body.bytes, status: 200, attempts: 2)
        #expect(results.first?.etag == "\"2\"")
        #expect(server.requests.map { $0.range?.first } == [nil, Self.half])
    }

    @Test func bodyRestartsIfTheServerIgnoresRanges() async throws {
        let server = try server(.body(Self.body).whole())
        let results = try await runs.run([server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 200, attempts: 2)
        #expect(server.requests.count == 2)
    }

    @Test func changedBodyThatIsInterruptedIsResumed() async throws {
        let body = PartBody(count: 1_900_003, seed: 5).with(etag: "\"2\"")
        let server = try PartServer { number, _ in
            switch number {
            case 0: .body(Self.body).breaking(after: Self.half)
            // Fewer bytes than were received of the first body.
            case 1: .body(body).breaking(after: 900_001)
            default: .body(body)
            }
        }
        let results = try await runs.run([server.url])
        try runs.expectOnly(results.first, is: body.bytes, status: 206, attempts: 3)
        #expect(server.requests.map { $0.range?.first } == [nil, Self.half, 900_001])
        #expect(server.requests.last?.header("If-Range") == "\"2\"")
    }

    @Test func changedBodyWithAWeakValidatorRestarts() async throws {
        let body = PartBody(count: 2_097_161, seed: 5).with(etag: "W/\"2\"")
        let server = try PartServer { number, _ in
            switch number {
            case 0: .body(Self.body).breaking(after: Self.half)
            case 1: .body(body).breaking(after: 1_900_001)
            default: .body(body)
            }
        }
        let results = try await runs.run([server.url])
        try runs.expectOnly(results.first, is: body.bytes, status: 200, attempts: 3)
    }

    @Test(arguments: [
        // Another start, another end, another length, and ranges that can't be parsed.
        PartAnswer.body(body).part("bytes 1300006-2097160/2097161"),
        .body(body).part("bytes 0-797153/2097161"),
        .body(body).part("bytes 1300007-2097159/2097161"),
        .body(body).part("bytes 1300007-2097160/2097162"),
        .body(body).part("pages 1300007-2097160/2097161"),
        .body(body).part("bytes 1300007-"),
        .body(body).part(nil),
        .body(PartBody(count: 2_097_161, seed: 6).with(etag: "\"2\"")).part(rest),
        .body(body).part(rest, headers: [("Content-Encoding", "gzip")]),
        .body(body).part(nil, headers: [("Content-Type", "multipart/byteranges; boundary=x")]),
        .reply(Reply.status(416).header("Content-Range", "bytes */2097161")),
        .reply(.status(416)),
    ])
    func unusableRangeResponseRestartsTheBody(answer: PartAnswer) async throws {
        let server = try server(answer)
        try await runs.fail([server.url])
        // The same attempt falls back to the complete body.
        let results = try await runs.run(["--retries", "0", server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 200)
        #expect(server.requests.map { $0.range?.first } == [nil, Self.half, nil])
        #expect(server.requests.last?.requestsWholeBody == true)
    }

    @Test func repeated206WithoutARangeFails() async throws {
        // The server sends 206 even if the complete body is requested.
        let answer = PartAnswer.body(Self.body).part("bytes 0-2097160/2097161")
        let server = try PartServer { number, _ in
            number == 0 ? .body(Self.body).breaking(after: Self.half) : answer
        }
        try await runs.fail([server.url])
        let result = try await runs.fail([server.url])
        #expect(result.attempts == 1 && result.status == 206)
        #expect(server.requests.map { $0.range?.first } == [nil, Self.half, nil])
        #expect(try TemporaryDirectory.files(in: runs.path("out")).isEmpty)
    }

    @Test(
        arguments: ["bytes 0-2097160/2097161", "bytes 5-2097160/2097161", nil],
        [[], ["--no-continue"]]
    )
    func unrequested206Fails(contentRange: String?, options: [String]) async throws {
        let server = try PartServer { _, _ in .body(Self.body).part(contentRange) }
        let results = try await runs.run(options + [server.url], status: 1)
        let result = try #require(results.first)
        #expect(!result.ok && result.status == 206 && result.path == nil)
        #expect(result.attempts == 1 && server.requests.count == 1)
        #expect(try TemporaryDirectory.files(in: runs.path("out")).isEmpty)
    }

    @Test(arguments: [503, 429, 404])
    func errorResponseKeepsThePartialFile(status: Int) async throws {
        let server = try server(.reply(.text("not now", status: status)))
        try await runs.fail([server.url])
        let failed = try await runs.fail([server.url])
        #expect(failed.status == status)
        let results = try await runs.run([server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 206)
        #expect(server.requests.map { $0.range?.first } == [nil, Self.half, Self.half])
    }

    @Test(arguments: [400, 500, 501], [[], ["--segments", "4"]])
    func rangeRequestRejectedByTheServerRestartsTheBody(status: Int, options: [String]) async throws
    {
        let server = try PartServer { number, request in
            guard number > 0 else { return .body(Self.body).breaking(after: Self.half) }
            return request.requestsWholeBody ? .body(Self.body) : .reply(.status(status))
        }
        try await runs.fail(options + [server.url])
        // The same attempt falls back to the complete body.
        let results = try await runs.run(options + ["--retries", "0", server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 200)
        #expect(server.requests.map { $0.range?.first } == [nil, Self.half, nil])
    }

    /// A server error that lasts a moment doesn't make the run discard the partial download.
    @Test(arguments: [1, 2])
    func rangeRequestAnswered500IsRetriedOnce(failures: Int) async throws {
        let server = try PartServer { number, request in
            if number == 0 { return .body(Self.body).breaking(after: Self.half) }
            return number <= failures && !request.requestsWholeBody
                ? .reply(.status(500)) : .body(Self.body)
        }
        try await runs.fail([server.url])
        let results = try await runs.run([server.url])
        try runs.expectOnly(
            results.first,
            is: Self.body.bytes,
            status: failures == 1 ? 206 : 200,
            attempts: 2
        )
        let last = failures == 1 ? [] : [nil] as [Int?]
        #expect(server.requests.map { $0.range?.first } == [nil, Self.half, Self.half] + last)
    }

    @Test func partialFileIsKeptUntilTheWholeBodyArrives() async throws {
        let server = try PartServer { number, _ in
            switch number {
            case 0: .body(Self.body).breaking(after: Self.half)
            case 1: .reply(.status(500))
            case 2: .body(Self.body).breaking(after: 1_900_000)
            default: .body(Self.body)
            }
        }
        try await runs.fail([server.url])
        try await runs.fail([server.url])
        let results = try await runs.run([server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 206)
        #expect(server.requests.map { $0.range?.first } == [nil, Self.half, nil, Self.half])
    }

    @Test func partialFileIsKeptIfTheWholeBodyFailsToo() async throws {
        let isUp = Gate()
        let server = try PartServer { number, _ in
            if number == 0 { return .body(Self.body).breaking(after: Self.half) }
            return isUp.isOpen ? .body(Self.body) : .reply(.status(500))
        }
        try await runs.fail([server.url])
        let failed = try await runs.fail([server.url])
        #expect(failed.status == 500)
        isUp.open()
        let results = try await runs.run([server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 206)
        #expect(server.requests.map { $0.range?.first } == [nil, Self.half, nil, Self.half])
    }

    @Test(arguments: [-100_000, 1, 100_000])
    func rangeResponseOfWrongLengthGivesTheRightBody(difference: Int) async throws {
        // That many bytes more, or fewer, in a response without a length.
        let more = PartBody(count: max(difference, 0), seed: 6).bytes
        let rest = Array((Self.body.bytes[Self.half...] + more).dropLast(max(-difference, 0)))
        let reply = Reply(
            206,
            headers: [("ETag", "\"1\""), ("Content-Range", Self.rest)],
            body: .chunks([rest], trailers: [])
        )
        let server = try server(.reply(reply))
        let results = try await runs.run([server.url])
        try runs.expectOnly(
            results.first,
            is: Self.body.bytes,
            attempts: try #require(results.first?.attempts)
        )
    }

    @Test func rangeResponseWithoutATotalLengthIsUsed() async throws {
        let server = try server(
            .body(Self.body).part("bytes \(Self.half)-2097160/*")
        )
        let results = try await runs.run([server.url])
        try runs.expect(results.first, is: Self.body.bytes, attempts: 2)
    }
}
