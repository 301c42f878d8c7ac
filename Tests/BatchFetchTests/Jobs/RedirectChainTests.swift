import CurlTransport
import HTTPTypes
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// A job that follows redirects: its requests, and the timings of its result.
@Suite struct RedirectChainTests {
    private func job(_ request: BatchRequest) throws -> FetchJob {
        FetchJob(
            target: try FetchTarget(request),
            line: 1,
            waitingSince: MonotonicTime(nanoseconds: 0)
        )
    }

    /// The job after a redirect of its next request.
    private func following(
        _ job: FetchJob,
        _ status: Int = 302,
        to location: String,
        _ outcome: AttemptOutcome = AttemptOutcome(),
        queued: Duration = .zero
    ) throws -> FetchJob {
        let redirect = try Redirect(from: job.nextTarget, status: status, to: location)
        return try job.following(redirect, outcome, queued: queued)
    }

    @Test func twentyRedirectsAreFollowedAndNoMore() throws {
        var job = try job(BatchRequest(url: "http://a/0"))
        for number in 1...20 { job = try following(job, to: "/\(number)") }
        #expect(job.place.url == "http://a/20" && job.target.url == "http://a/0")
        #expect(job.isContinuing, "redirects belong to one attempt")
        let failure = #expect(throws: BatchFailure.self) { try following(job, to: "/21") }
        #expect(failure?.code == .tooManyRedirects)
        #expect(failure?.message == "more than 20 redirects")
    }

    @Test func timingsOfTheResultIncludeEarlierRequests() throws {
        var outcome = AttemptOutcome()
        outcome.startedAt = 1000
        outcome.timings.queue = .milliseconds(1)
        outcome.timings.firstByte = .milliseconds(30)
        outcome.timings.total = .milliseconds(100)
        var job = try job(BatchRequest(url: "http://a/0"))
        for number in 1...2 {
            job = try following(job, to: "/\(number)", outcome, queued: .milliseconds(10))
            outcome.startedAt = 2000
        }
        let result = job.result(of: outcome, queued: .milliseconds(10))
        #expect(result.timings.queue == .milliseconds(33))
        #expect(result.timings.firstByte == .milliseconds(230))
        #expect(result.timings.total == .milliseconds(300))
        #expect(result.startedAt == 1000)
        #expect(result.url == "http://a/0")
    }

    @Test(arguments: [(303, HTTPRequest.Method.get), (307, .post)])
    func contentFollowsTheMethod(status: Int, method: HTTPRequest.Method) throws {
        var request = BatchRequest(url: "http://a/0")
        request.method = .post
        request.body = .bytes([1, 2, 3])
        request.headerFields[.contentType] = "text/plain"
        request.headerFields[.accept] = "text/html"
        request.tag = "t"
        request.name = "n"
        request.priority = 2
        let job = try following(try job(request), status, to: "http://b/1")
        let next = try #require(job.place.details?.request)
        let isKept = method == .post
        #expect(next.method == method && next.url == "http://b/1")
        #expect(next.body == (isKept ? .bytes([1, 2, 3]) : .none))
        #expect(next.headerFields[.contentType] == (isKept ? "text/plain" : nil))
        #expect(next.headerFields[.accept] == "text/html")
        #expect(next.tag == "t" && next.name == "n" && next.priority == 2)
        #expect(job.place.isIdempotent == !isKept && !job.target.isIdempotent)
    }

    @Test func limitsOfTheTargetHostApply() throws {
        let job = try following(try job(BatchRequest(url: "http://a/0")), to: "//b:99/1")
        #expect(job.target.hostKey == "a:80" && job.place.hostKey == "b:99")
        let failure = job.unavailable(since: nil).failure
        #expect(failure?.message == "b:99 is paused after repeated failures")
    }

    // MARK: Conditions

    private func earlier(finalURL: String) throws -> EarlierResponse {
        var result = BatchResult(url: "http://a/0", line: 1)
        result.finalURL = finalURL
        result.status = 200
        result.etag = "\"1\""
        var line: [UInt8] = []
        result.appendJSONLine(to: &line)
        return try #require(EarlierResponse(line: line))
    }

    @Test func conditionOfTheFirstURLIsNotPassedOn() throws {
        var request = BatchRequest(url: "http://a/0")
        request.headerFields[.accept] = "text/html"
        var job = try job(request)
        job.earlier = try earlier(finalURL: "http://a/0")
        let first = try #require(job.nextTarget.details?.request.headerFields)
        #expect(first[.ifNoneMatch] == "\"1\"" && first[.accept] == "text/html")
        let next = try following(job, to: "/1")
        let second = try #require(next.nextTarget.details?.request.headerFields)
        #expect(second[.ifNoneMatch] == nil && second[.accept] == "text/html")
    }

    @Test func conditionIsSentToTheLastURLOnly() throws {
        var job = try job(BatchRequest(url: "http://a/0"))
        job.earlier = try earlier(finalURL: "http://a/1")
        #expect(job.nextTarget.details == nil)
        #expect(!job.isUnchanged(by: .status(304)), "no condition was sent")
        let next = try following(job, to: "/1")
        #expect(next.nextTarget.details?.request.headerFields[.ifNoneMatch] == "\"1\"")
        #expect(next.isUnchanged(by: .status(304)))
        #expect(!next.isUnchanged(by: .status(404)) && !next.isUnchanged(by: .success))
    }

    @Test func confirmedResponseKeepsTheBodyAndTakesNewFields() throws {
        let earlier = try earlier(finalURL: "http://a/0")
        var outcome = AttemptOutcome.status(304)
        outcome.failure = nil
        outcome.etag = "\"2\""
        let job = try job(BatchRequest(url: "http://a/0"))
        let result = job.result(of: outcome, queued: .zero, unchangedSince: earlier)
        #expect(result.isUnchanged && result.isFetched && result.status == 304)
        #expect(result.etag == "\"2\"" && result.lastModified == nil)
    }
}
