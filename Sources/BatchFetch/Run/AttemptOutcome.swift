import CurlTransport

/// What one attempt came to.
struct AttemptOutcome: Sendable {
    var finalURL: String?
    var status: Int?
    var bytes: Int64 = 0
    var transferredBytes: Int64 = 0
    var digests: [DigestAlgorithm: [UInt8]] = [:]
    var contentType: String?
    var etag: String?
    var lastModified: String?
    var peer: String?
    var startedAt: Int64?
    var httpVersion: String?
    var isConnectionReused = false
    var retryAfter: String?
    var timings = BatchTimings()
    var end = BodyEnd.dropped
    /// Where the response leads, if it does, and to where that may be followed.
    var redirect: Redirect?
    /// Whether the part that was asked for can't be had like this.
    var isPartRefused = false
    /// Why it is no success, and whether that may pass.
    var failure: (reason: BatchFailure, cause: RetryCause)?
}

extension AttemptOutcome {
    /// The content ended early, and nothing else says so.
    static let short: (reason: BatchFailure, cause: RetryCause) = (
        BatchFailure(.transport, "the server sent less than it had announced"),
        .transfer(isTransient: true, mayHaveReachedServer: true)
    )

    /// Whether a connection that had served before ended without an answer.
    var isUnanswered: Bool { failure?.reason.code == .unanswered }

    /// As it is, but for why it is no success.
    func failing(_ failure: (reason: BatchFailure, cause: RetryCause)?) -> AttemptOutcome {
        var outcome = self
        outcome.failure = failure
        return outcome
    }

    /// Of one that was to fetch a piece of a body: who is led elsewhere begins anew.
    var ofPiece: AttemptOutcome {
        var outcome = self
        if redirect != nil { outcome.isPartRefused = true }
        return outcome
    }
}
