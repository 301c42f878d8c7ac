import CurlResilience
import CurlTransport
import TestSupport
import Testing

@testable import BatchFetch

/// What the end of a body and a redirect make of an attempt's outcome.
@Suite(.timeLimit(.minutes(10))) struct AttemptEndTests {
    // MARK: Sinks

    @Test func sinkThatStopsTheTransferFailsTheAttempt() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let sink = FixedSink(.stop)
        let outcome = try await AttemptRun().outcome(server.url + "/", sink: sink)
        #expect(sink.finished == [false])
        #expect(outcome.failure?.reason.code == .output)
        #expect(outcome.failure?.reason.message == "the output refused the body")
        #expect(outcome.failure?.cause == .permanent)
    }

    @Test func reasonOfTheSinkReplacesTheGeneralOne() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let outcome = try await AttemptRun().outcome(server.url + "/", sink: MemorySink(limit: 4))
        #expect(
            outcome.failure?.reason.message
                == "the body exceeds 4 bytes: raise the limit, or write files"
        )
        #expect(outcome.failure?.reason.code == .bodyTooLarge)
    }

    @Test(arguments: [
        (BodyEnd.failed(BatchFailure(.output, "full")), RetryCause.permanent),
        (.mismatched(BatchFailure(.verification, "wrong")), .mismatch),
    ])
    func failureOfACompleteBodyFailsTheAttempt(end: BodyEnd, cause: RetryCause) async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let sink = FixedSink(end: end)
        let outcome = try await AttemptRun().outcome(server.url + "/", sink: sink)
        #expect(sink.finished == [true])
        #expect(outcome.failure?.cause == cause)
        #expect(outcome.status == 200 && !outcome.isPartRefused)
    }

    /// Another run may hold the partial file.
    @Test func unavailablePartialFileIsNoFailureOfTheURL() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        var reason = BatchFailure(.output, "in use")
        reason.isPartUnavailable = true
        let sink = FixedSink(end: .failed(reason))
        let outcome = try await AttemptRun().outcome(server.url + "/", sink: sink)
        #expect(outcome.failure == nil && outcome.isPartRefused)
    }

    // MARK: Redirects

    @Test func redirectIsReportedAndNotFollowed() async throws {
        let server = try LoopbackServer { _ in .redirect(307, to: "../to?x#y") }
        let outcome = try await AttemptRun().outcome(server.url + "/a/from")
        #expect(outcome.redirect?.location == server.url + "/to?x")
        #expect(outcome.redirect?.keepsBody == true)
        #expect(outcome.failure == nil && outcome.status == 307)
        #expect(outcome.finalURL == server.url + "/a/from")
        #expect(server.requestCount == 1)
    }

    @Test(arguments: [300, 302, 304, 305])
    func redirectStatusWithoutAPlaceToFollowFails(status: Int) async throws {
        // Only 302 would be followed, and it has no Location.
        let server = try LoopbackServer { _ in
            status == 302 ? .status(302) : .redirect(status, to: "/to")
        }
        let outcome = try await AttemptRun().outcome(server.url + "/")
        #expect(outcome.redirect == nil)
        #expect(outcome.failure?.cause == .status(status))
        #expect(outcome.failure?.reason.message == "the server answered \(status)")
    }

    @Test func redirectToAnotherSchemeFails() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "ftp://example.org/") }
        let outcome = try await AttemptRun().outcome(server.url + "/")
        #expect(outcome.redirect == nil)
        #expect(outcome.failure?.reason.code.name == "redirect_forbidden")
        #expect(outcome.status == 302)
    }

    @Test func redirectWithATruncatedContentIsFollowed() async throws {
        let head = "HTTP/1.1 302 Found\r\nLocation: /to\r\nContent-Length: 100\r\n\r\n"
        let server = try LoopbackServer { _ in .steps([.send(head + "half")]) }
        let sink = FixedSink()
        let outcome = try await AttemptRun().outcome(server.url + "/", sink: sink)
        #expect(outcome.redirect?.location == server.url + "/to")
        #expect(outcome.failure == nil)
        #expect(sink.finished == [false], "an archive doesn't keep it")
    }

    /// Otherwise a redirect's content could be endless.
    @Test func endlessContentOfARedirectIsCutShort() async throws {
        let head = "HTTP/1.1 302 Found\r\nLocation: /to\r\nConnection: close\r\n\r\n"
        let server = try LoopbackServer { _ in
            .steps([.send(head), .sendRepeating("endless ", times: nil)])
        }
        let sink = FixedSink()
        let outcome = try await AttemptRun().outcome(server.url + "/", sink: sink)
        #expect(outcome.redirect?.location == server.url + "/to")
        #expect(outcome.failure == nil && outcome.bytes > FetchAttempt.redirectContent)
        #expect(sink.finished == [true], "an archive keeps the beginning")
    }

    @Test func redirectWhoseContentCannotBeStoredIsNotFollowed() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/to") }
        let sink = FixedSink(end: .failed(BatchFailure(.output, "full")))
        let outcome = try await AttemptRun().outcome(server.url + "/", sink: sink)
        #expect(outcome.redirect == nil)
        #expect(outcome.failure?.reason == BatchFailure(.output, "full"))
    }
}
