import CurlResilience
import CurlTransport
internal import HTTPSemantics
internal import HTTPTypes
internal import Posix

/// The outcome of one attempt.
struct AttemptOutcome: Sendable {
    var finalURL: String?
    var status: Int?
    var bytes: Int64 = 0
    var transferredBytes: Int64 = 0
    var digests: [DigestAlgorithm: [UInt8]] = [:]
    var contentType: String?
    var contentEncoding: String?
    var etag: String?
    var lastModified: String?
    var peer: String?
    var startedAt: Int64?
    var httpVersion: String?
    var isConnectionReused = false
    var retryAfter: String?
    var timings = BatchTimings()
    var end = BodyEnd.dropped
    /// The redirect of the response, if it may be followed.
    var redirect: Redirect?
    /// Whether the response can't provide the requested part.
    var isPartRefused = false
    /// The failure and its retry cause; `nil` for a success.
    var failure: (reason: BatchFailure, cause: RetryCause)?
}

extension AttemptOutcome {
    /// The content had another length than announced, without any other error.
    static let wrongLength: (reason: BatchFailure, cause: RetryCause) = (
        BatchFailure(.transport, "the server sent more or fewer bytes than it announced"),
        .transfer(isTransient: true, mayHaveReachedServer: true)
    )

    /// The failure of a status outside 200 … 299.
    static func failure(
        status: Int?
    ) -> (reason: BatchFailure, cause: RetryCause)? {
        guard let status, !(200..<300).contains(status) else { return nil }
        // RFC 9110, 15.5.8: only proxies answer so, but an origin server may, too.
        let sender = status == 407 ? "the proxy (or the server)" : "the server"
        return (BatchFailure(.status, "\(sender) answered \(status)"), .status(status))
    }

    /// The failure of a transfer.
    static func failure(
        _ error: TransportError
    ) -> (reason: BatchFailure, cause: RetryCause) {
        if error.isCancelled {
            let message = "the run ended while this URL was in flight"
            return (BatchFailure(.cancelled, message), .permanent)
        }
        let code = error.isTimeout ? .timeout : BatchFailure.Code(error.code)
        let cause = RetryCause.transfer(
            isTransient: error.isRetryable,
            mayHaveReachedServer: error.retry != .always
        )
        var failure = BatchFailure(code, error.message)
        failure.curlCode = error.curlCode
        failure.systemErrno = error.systemErrno
        return (failure, cause)
    }

    /// Whether a reused connection ended without an answer.
    var isUnanswered: Bool { failure?.reason.code == .unanswered }

    /// The same outcome with another failure.
    func failing(_ failure: (reason: BatchFailure, cause: RetryCause)?) -> AttemptOutcome {
        var outcome = self
        outcome.failure = failure
        return outcome
    }

    /// The outcome for a request for a piece: a redirect counts as a refusal, so that the body
    /// restarts.
    var ofPiece: AttemptOutcome {
        var outcome = self
        if redirect != nil { outcome.isPartRefused = true }
        return outcome
    }
}

extension HostFeedback {
    /// Creates the feedback that an attempt gives about its host.
    ///
    /// - Parameter requestsPause: Whether the host sent a `Retry-After` of more than zero.
    init(_ outcome: AttemptOutcome, requestsPause: Bool = false) {
        guard let failure = outcome.failure else {
            self = .healthy(outcome.timings.firstByte ?? outcome.timings.total ?? .zero)
            return
        }
        self =
            switch failure.cause {
            // Without a `Retry-After` these count as failures, so that many of them open the
            // circuit breaker.
            case .status(429) where requestsPause: .overloaded
            case .status(503) where requestsPause: .overloaded
            case .status(408), .status(429), .status(500), .status(502), .status(503), .status(504):
                .failing
            case .status: .answered
            case .transfer where outcome.isUnanswered: .neutral
            case .transfer(let isTransient, _): isTransient ? .failing : .neutral
            case .mismatch, .permanent: .neutral
            }
    }
}

extension ResponseHead {
    /// The codings of the body, in the order in which they were applied; `nil` without any.
    var contentEncoding: String? {
        let values = values(of: "content-encoding")
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The time of `Last-Modified`, in seconds since 1970; `nil` without a valid one.
    var lastModified: Int64? {
        firstValue(of: .lastModified).flatMap {
            HTTPDate.seconds(from: $0, near: WallClock.secondsSince1970)
        }
    }
}

/// The fields of a head for the result, read in one pass.
struct ResponseFacts {
    private static let own = ["etag", "last-modified", "content-type", "retry-after"]
    private static let names = FieldNameSet(own + ResponseDigests.fieldNames)

    let etag: String?
    let lastModified: String?
    let contentType: String?
    let retryAfter: String?
    /// Whether the head has a checksum of the body.
    let hasDigest: Bool

    init(_ head: ResponseHead) {
        let values = head.firstValues(of: Self.names)
        etag = values[0]
        lastModified = values[1]
        contentType = values[2]
        retryAfter = values[3]
        hasDigest = values[Self.own.count...].contains { $0 != nil }
    }
}
