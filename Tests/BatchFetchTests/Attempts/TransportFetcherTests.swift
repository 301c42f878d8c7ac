import CurlResilience
import HTTPTypes
import TestSupport
import Testing

@testable import BatchFetch

/// Single attempts over the real transport: the request, and the outcome for each response.
@Suite(.timeLimit(.minutes(10))) struct TransportFetcherTests {
    // MARK: The request

    @Test func fieldOfALineReplacesTheGeneralOne() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let run = try AttemptRun {
            $0.politeness.userAgent = "general/1"
            $0.politeness.from = "bot@example.org"
        }
        var request = BatchRequest(url: server.url + "/")
        request.headerFields[.userAgent] = "own/2"
        _ = await run.outcome(try FetchTarget(request))
        let sent = try await server.request(0)
        #expect(sent.headers("User-Agent") == ["own/2"])
        #expect(sent.headers("From") == ["bot@example.org"])
    }

    @Test(arguments: [(HTTPRequest.Method.get, "HEAD"), (.post, "POST"), (.delete, "DELETE")])
    func headOnlyRunReplacesOnlyGET(method: HTTPRequest.Method, sent: String) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let run = try AttemptRun { $0.isHeadOnly = true }
        var request = BatchRequest(url: server.url + "/")
        request.method = method
        #expect(await run.outcome(try FetchTarget(request)).failure == nil)
        #expect(server.requests.map(\.method) == [sent])
    }

    /// The run follows other redirects itself, but needs the rules of the host that was asked.
    @Test func robotsFileIsRequestedWithGETAndItsRedirectFollowed() async throws {
        let server = try LoopbackServer { request in
            request.target == "/robots.txt" ? .redirect(to: "/moved") : .text("rules")
        }
        let run = try AttemptRun {
            $0.isHeadOnly = true
            $0.digests = [.md5]
        }
        let outcome = await run.outcome(try FetchTarget(server.url + "/a").robots)
        #expect(outcome.text == "rules" && outcome.redirect == nil)
        #expect(outcome.finalURL == server.url + "/moved")
        #expect(outcome.digests.isEmpty)
        #expect(server.requests.map(\.method) == ["GET", "GET"])
    }

    @Test func userAgentWithALineEndIsRejected() {
        let failure = #expect(throws: BatchFailure.self) {
            try AttemptRun { $0.politeness.userAgent = "a\r\nX: b" }
        }
        #expect(failure?.code == .configuration)
        let message = "the User-Agent has line ends or other control characters: remove them"
        #expect(failure?.message == message)
    }

    @Test("A private address is refused with a code of its own, which isn't retried")
    func privateAddressIsRefused() async throws {
        let server = try LoopbackServer { _ in .text("secret") }
        let run = try AttemptRun { $0.refusesPrivateAddresses = true }
        for target in [
            try FetchTarget(server.url + "/a"), try FetchTarget(server.url + "/a").robots,
        ] {
            let outcome = await run.outcome(target)
            let failure = try #require(outcome.failure)
            #expect(failure.reason.code == .addressRefused)
            #expect(failure.reason.code.name == "address_refused")
            #expect(failure.reason.message.contains("127.0.0.1, a loopback address"))
            #expect(HostFeedback(outcome) == .neutral)
            #expect(outcome.status == nil)
        }
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test func urlThatOnlyTheTransportRejectsIsNotRetried() async throws {
        let outcome = try await AttemptRun().outcome("http://[::zz]/")
        #expect(outcome.failure?.reason.code == .invalidURL)
        #expect(outcome.failure?.cause == .permanent)
        #expect(outcome.status == nil)
    }

    @Test func timeoutOfALineReplacesTheGeneralOne() async throws {
        let server = try LoopbackServer { _ in .text("late").after(Gate()) }
        let run = try AttemptRun { $0.timeout = .seconds(3600) }
        var request = BatchRequest(url: server.url + "/")
        request.timeout = .seconds(1)
        let outcome = await run.outcome(try FetchTarget(request))
        #expect(outcome.failure?.reason.code == .timeout)
        #expect(outcome.finalURL == nil, "there was no response")
    }

    @Test func cancelEndsPendingAndLaterAttempts() async throws {
        let server = try LoopbackServer { _ in .text("late").after(Gate()) }
        let run = try AttemptRun()
        async let pending = run.outcome(server.url + "/1")
        try await server.requests(count: 1)
        run.fetcher.cancelAll()
        for outcome in [try await pending, try await run.outcome(server.url + "/2")] {
            #expect(outcome.failure?.reason.code == .cancelled)
            #expect(outcome.failure?.cause == .permanent)
            #expect(
                outcome.failure?.reason.message == "the run ended while this URL was in flight"
            )
        }
    }

    // MARK: The response

    @Test func secondAttemptReusesTheConnection() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let run = try AttemptRun()
        let first = try await run.outcome(server.url + "/1")
        let second = try await run.outcome(server.url + "/2")
        #expect([first, second].map(\.isConnectionReused) == [false, true])
        #expect([first, second].allSatisfy { $0.peer == "127.0.0.1:\(server.port)" })
        #expect([first, second].allSatisfy { $0.startedAt != nil })
    }

    @Test(arguments: [(200, nil), (404, "7"), (503, "7")] as [(Int, String?)])
    func retryAfterIsReportedOnlyForErrors(status: Int, retryAfter: String?) async throws {
        let server = try LoopbackServer { _ in
            .text("x", status: status).header("Retry-After", "7").header("ETag", "\"1\"")
        }
        let outcome = try await AttemptRun().outcome(server.url + "/")
        #expect(outcome.retryAfter == retryAfter)
        #expect(outcome.etag == "\"1\"" && outcome.contentType == "text/plain")
        #expect(outcome.failure?.cause == (status == 200 ? nil : .status(status)))
    }

    @Test func receivedBytesIncludeFailedAttempts() async throws {
        let server = try LoopbackServer { .text("hello", status: $0.target == "/bad" ? 404 : 200) }
        let run = try AttemptRun()
        #expect(run.fetcher.receivedBytes == 0)
        _ = try await run.outcome(server.url + "/bad")
        _ = try await run.outcome(server.url + "/good")
        #expect(run.fetcher.receivedBytes == 10)
    }

    @Test func truncatedBodyIsDroppedAndMayBeRetried() async throws {
        let server = try LoopbackServer { _ in
            .steps([.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")])
        }
        let sink = FixedSink()
        let outcome = try await AttemptRun().outcome(server.url + "/", sink: sink)
        #expect(sink.finished == [false])
        #expect(outcome.status == 200 && outcome.bytes == 4)
        #expect(
            outcome.failure?.cause == .transfer(isTransient: true, mayHaveReachedServer: true)
        )
    }

    @Test func bodyWithAWrongChecksumIsDropped() async throws {
        let server = try LoopbackServer { _ in .text("abd") }
        let run = try AttemptRun { $0.digests = [.sha256] }
        var request = BatchRequest(url: server.url + "/")
        let abc = "900150983cd24fb0d6963f7d28e17f72"
        request.digests = [try #require(ExpectedDigest(.md5, hexadecimal: abc))]
        let sink = FixedSink()
        let outcome = await run.outcome(try FetchTarget(request), sink: sink)
        #expect(sink.finished == [false])
        #expect(outcome.failure?.reason.code == .verification)
        #expect(outcome.failure?.cause == .mismatch)
        #expect(Set(outcome.digests.keys) == [.md5, .sha256], "the found ones are reported")
    }

    @Test func partWithoutARangeInTheRequestIsRefused() async throws {
        let server = try LoopbackServer { _ in
            .text("part", status: 206).header("Content-Range", "bytes 0-3/9")
        }
        let outcome = try await AttemptRun().outcome(server.url + "/")
        #expect(outcome.failure?.reason.code == .unrequestedPart)
        #expect(outcome.failure?.cause == .permanent)
        #expect(outcome.status == 206 && outcome.isDropped)
    }

    // MARK: Limits

    /// The server sends the head alone, and waits.
    @Test func announcedLengthBeyondTheLimitFailsBeforeTheBody() async throws {
        let server = try LoopbackServer { _ in
            .steps([.send("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"), .stall])
        }
        let run = try AttemptRun { $0.limits.maximumBodyBytes = 1000 }
        let outcome = try await run.outcome(server.url + "/")
        #expect(outcome.failure?.reason.code == .bodyTooLarge)
        #expect(outcome.failure?.reason.message == "the body exceeds the limit of 1000 bytes")
        #expect(outcome.failure?.cause == .permanent)
        #expect(outcome.status == 200 && run.fetcher.receivedBytes == 0)
    }

    @Test(arguments: [400, 401])
    func bodyOfUnknownLengthFailsBeyondTheLimit(last: Int) async throws {
        let chunks = [600, last].map { [UInt8](repeating: 0x61, count: $0) }
        let server = try LoopbackServer { _ in .chunked(chunks) }
        let run = try AttemptRun { $0.limits.maximumBodyBytes = 1000 }
        let outcome = try await run.outcome(server.url + "/")
        #expect(outcome.failure?.reason.code == (last == 400 ? nil : .bodyTooLarge))
        #expect(outcome.text?.count == (last == 400 ? 1000 : nil))
    }

    @Test func lengthInAHeadResponseIsNotLimited() async throws {
        let server = try LoopbackServer { _ in Reply(body: .repeating([1], times: 5000)) }
        let run = try AttemptRun {
            $0.isHeadOnly = true
            $0.limits.maximumBodyBytes = 1000
        }
        let outcome = try await run.outcome(server.url + "/")
        #expect(outcome.failure == nil && outcome.status == 200 && outcome.bytes == 0)
    }

    @Test("The connection of an attempt that doesn't keep it is closed after the response")
    func unneededConnectionIsClosed() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let run = try AttemptRun()
        let target = try FetchTarget(server.url + "/")
        #expect(await run.outcome(target).status == 200)
        #expect(await run.outcome(target, keepsConnection: false).status == 200)
        #expect(try await server.connectionClosed(0).ending == .peer)
        #expect(server.acceptedConnectionCount == 1)
    }
}
