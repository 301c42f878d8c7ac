internal import CurlResilience
internal import HTTPSemantics
import TestSupport
import Testing

@testable import BatchFetch

/// Attempts that request a part of a body: the fields, and which responses are accepted.
///
/// The body is `abcdefghij`, of which the first four bytes exist.
@Suite(.timeLimit(.minutes(10))) struct PartRequestTests {
    private func part(_ range: Range<Int64> = 4..<10) -> RequestedPart {
        RequestedPart(range: range, length: 10, present: 4, validator: .entityTag("\"1\""))
    }

    private func outcome(
        _ part: RequestedPart,
        of server: LoopbackServer,
        sink: any BodySink = MemorySink(limit: 100)
    ) async throws -> AttemptOutcome {
        let request = BatchRequest(url: server.url + "/")
        return try await AttemptRun().outcome(try FetchTarget(request, part: part), sink: sink)
    }

    private static func reply(
        _ text: String = "efghij",
        range: String? = "bytes 4-9/10",
        etag: String? = "\"1\""
    ) -> Reply {
        var reply = Reply.text(text, status: 206)
        if let range { reply.headers.append(("Content-Range", range)) }
        if let etag { reply.headers.append(("ETag", etag)) }
        return reply
    }

    @Test(arguments: [(4..<10 as Range<Int64>, "bytes=4-"), (4..<8, "bytes=4-7")])
    func partIsRequestedWithItsValidator(range: Range<Int64>, field: String) async throws {
        let server = try LoopbackServer { _ in .status(404) }
        _ = try await outcome(part(range), of: server)
        let request = try await server.request(0)
        #expect(request.headers("Range") == [field])
        #expect(request.headers("If-Range") == ["\"1\""])
        #expect(request.headers("Accept-Encoding") == ["identity"])
    }

    @Test func requestedPartIsAccepted() async throws {
        let server = try LoopbackServer { _ in Self.reply() }
        let outcome = try await outcome(part(), of: server)
        #expect(outcome.failure == nil && !outcome.isPartRefused)
        #expect(outcome.text == "efghij")
        #expect(outcome.bytes == 10, "the size is that of the whole body")
        #expect(outcome.transferredBytes == 6)
    }

    @Test(
        arguments: [
            ("bytes 0-9/10", "\"1\""), ("bytes 4-8/10", "\"1\""), ("bytes 5-9/10", "\"1\""),
            ("bytes 4-9/11", "\"1\""), ("bytes 4-9/10", "\"2\""), ("bytes 4-9/10", "W/\"1\""),
            ("bytes 4-9/10", nil), (nil, "\"1\""), ("bytes */10", "\"1\""), ("4-9/10", "\"1\""),
        ] as [(String?, String?)]
    )
    func otherPartIsRefused(range: String?, etag: String?) async throws {
        let server = try LoopbackServer { _ in Self.reply(range: range, etag: etag) }
        let sink = FixedSink()
        let outcome = try await outcome(part(), of: server, sink: sink)
        #expect(outcome.isPartRefused && outcome.failure == nil)
        #expect(outcome.isDropped && sink.finished.isEmpty, "no byte reaches the file")
    }

    @Test(arguments: ["bytes */10", "bytes */4", nil])
    func unsatisfiableRangeIsRefused(range: String?) async throws {
        let server = try LoopbackServer { _ in
            range.map { Reply.status(416).header("Content-Range", $0) } ?? .status(416)
        }
        let outcome = try await outcome(part(), of: server)
        #expect(outcome.isPartRefused && outcome.failure == nil)
    }

    @Test(
        arguments: [(true, nil), (false, nil), (true, "gzip"), (true, "identity")]
            as [(Bool, String?)]
    )
    func wholeBodyIsAcceptedUnlessItIsCodedOrForAPiece(
        acceptsWhole: Bool,
        coding: String?
    ) async throws {
        let server = try LoopbackServer { _ in
            let reply = Reply.text("ABCDEFGHIJK")
            return coding.map { reply.header("Content-Encoding", $0) } ?? reply
        }
        var part = part()
        part.acceptsWhole = acceptsWhole
        let outcome = try await outcome(part, of: server)
        let isAccepted = acceptsWhole && coding != "gzip"
        #expect(outcome.isPartRefused == !isAccepted && outcome.failure == nil)
        #expect(outcome.text == (isAccepted ? "ABCDEFGHIJK" : nil))
        #expect(outcome.bytes == (isAccepted ? 11 : 0), "the existing bytes don't count")
    }

    @Test func errorStatusIsAFailureAndNoRefusal() async throws {
        let server = try LoopbackServer { _ in .text("none", status: 404) }
        let outcome = try await outcome(part(), of: server)
        #expect(!outcome.isPartRefused && outcome.failure?.cause == .status(404))
    }

    /// Without a length, only the range says how many bytes must come.
    @Test func partThatIsTooShortFails() async throws {
        let server = try LoopbackServer { _ in
            var reply = Self.reply()
            reply.body = .chunks([Array("efg".utf8)], trailers: [])
            return reply
        }
        let sink = FixedSink()
        let outcome = try await outcome(part(), of: server, sink: sink)
        #expect(outcome.failure?.reason.code == .transport)
        #expect(
            outcome.failure?.reason.message
                == "the server sent more or fewer bytes than it announced"
        )
        #expect(
            outcome.failure?.cause == .transfer(isTransient: true, mayHaveReachedServer: true)
        )
        #expect(sink.finished == [false])
    }
}
