import CurlResilience
import CurlTransport
import TestSupport
import Testing

@testable import BatchFetch

/// What an attempt's outcome says about its host, and about the body that it belongs to.
@Suite struct HostFeedbackTests {
    @Test(
        arguments: [
            (.status(429), true, .overloaded), (.status(429), false, .failing),
            (.status(503), true, .overloaded), (.status(500), true, .failing),
            (.status(408), true, .failing), (.status(502), false, .failing),
            (.status(504), false, .failing), (.status(404), false, .answered),
            (.status(404), true, .answered), (.status(501), false, .answered),
            (.status(302), false, .answered), (.mismatch, false, .neutral),
            (.permanent, true, .neutral),
            (.transfer(isTransient: true, mayHaveReachedServer: false), false, .failing),
            (.transfer(isTransient: false, mayHaveReachedServer: true), false, .neutral),
        ] as [(RetryCause, Bool, HostFeedback)]
    )
    func failureGivesFeedback(cause: RetryCause, pauses: Bool, feedback: HostFeedback) {
        let outcome = AttemptOutcome.failing(.transport, cause)
        #expect(HostFeedback(outcome, requestsPause: pauses) == feedback)
    }

    @Test func successIsMeasuredByItsFirstByte() {
        var outcome = AttemptOutcome.success
        #expect(HostFeedback(outcome) == .healthy(.zero))
        outcome.timings.total = .milliseconds(900)
        #expect(HostFeedback(outcome) == .healthy(.milliseconds(900)))
        outcome.timings.firstByte = .milliseconds(3)
        #expect(HostFeedback(outcome, requestsPause: true) == .healthy(.milliseconds(3)))
    }

    @Test func onlyAnUnansweredRequestIsContinued() {
        let lost = RetryCause.transfer(isTransient: true, mayHaveReachedServer: true)
        #expect(AttemptOutcome.failing(.unanswered, lost).isUnanswered)
        #expect(!AttemptOutcome.failing(.timeout, lost).isUnanswered)
        #expect(!AttemptOutcome.success.isUnanswered)
        // It isn't a failure of the host: an idle connection may always be closed.
        #expect(HostFeedback(.failing(.unanswered, lost)) == .neutral)
        #expect(HostFeedback(.failing(.timeout, lost)) == .failing)
    }

    @Test func replacedFailureKeepsTheResponse() {
        var outcome = AttemptOutcome.status(503, retryAfter: "9")
        outcome.bytes = 10
        let replaced = outcome.failing(AttemptOutcome.wrongLength)
        #expect(replaced.failure?.reason == AttemptOutcome.wrongLength.reason)
        #expect(replaced.status == 503 && replaced.retryAfter == "9" && replaced.bytes == 10)
        #expect(HostFeedback(replaced) == .failing, "the host may be overloaded")
        #expect(HostFeedback(replaced.failing(nil)) == .healthy(.zero))
    }

    /// A piece of a body can't come from another URL than the other pieces.
    @Test func redirectedPieceIsRefused() throws {
        let target = try FetchTarget("http://a/1")
        let redirect = try Redirect(from: target, to: "/2")
        let redirected = AttemptOutcome(status: 302, redirect: redirect)
        #expect(redirected.ofPiece.isPartRefused)
        #expect(!redirected.isPartRefused && !AttemptOutcome.success.ofPiece.isPartRefused)
    }
}
