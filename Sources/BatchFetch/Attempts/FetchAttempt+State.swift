import CurlResilience
import CurlTransport
import HTTPTypes
import Posix

extension FetchAttempt {
    /// The state of an attempt, and how it ends.
    struct State {
        var outcome: AttemptOutcome
        /// The last request, after redirects.
        var request: HTTPRequest
        var sink: (any BodySink)?
        var verifier: BodyVerifier?
        /// Whether only the sink has the whole body and verifies it.
        var isPartial = false
        /// The number of bytes received last, and the pause that followed.
        var lastCount = 0
        var lastPause: Int?
        /// The number of bytes still to receive; `nil` for all that arrive.
        var wanted: Int64?
        /// The body for the progress of the run, if it is large.
        var large: LargeBody?
        var isStoppedBySink = false
        /// Why this object cancelled the transfer.
        var refusal: BatchFailure?
        /// Whether a redirect's content was too long or too slow, so the transfer was cancelled.
        var isCutShort = false
        /// The measurement of the body's speed; `nil` without a minimum.
        var speed: MeasuredBody?
        /// Why the transfer was cancelled if its body was too slow.
        var slowness: BatchFailure?
        /// Why a redirect can't be followed.
        var redirectError: TransportError?

        init(_ request: HTTPRequest, url: String?) {
            outcome = AttemptOutcome(finalURL: url)
            outcome.startedAt = WallClock.microsecondsSince1970
            self.request = request
        }
    }

    /// How the content of a response ended.
    enum ContentEnd {
        case whole(BodyVerifier?)
        /// The content is not accepted. The value says whether the transfer broke off, so that it
        /// can be resumed.
        case broken(Bool)
    }
}

extension FetchAttempt.State {
    /// Ends the measurement, and records whether it cancelled the transfer.
    mutating func takeSpeed(endingWith error: TransportError?) -> MeasuredBody? {
        guard let speed = speed.take() else { return nil }
        // A piece whose last byte has arrived is complete, although it may have been slow.
        if error?.isCancelled == true, wanted != 0, let failure = speed.failure {
            // The head of a redirect says where to go.
            if outcome.redirect == nil { slowness = failure } else { isCutShort = true }
        }
        return speed
    }

    /// Records the end of the transfer and returns how the content ended; `nil` if the head
    /// decides.
    mutating func end(
        with error: TransportError?,
        of part: RequestedPart?
    ) -> FetchAttempt.ContentEnd? {
        let verifier = verifier.take()
        large = nil
        // The attempt cancelled the transfer itself after the last byte of its piece.
        let error = wanted == 0 && error?.isCancelled == true ? nil : error
        if outcome.isPartRefused { return nil }
        if outcome.redirect != nil {
            // The head has the redirect; only sinks that archive everything need the content.
            if isCutShort || error == nil { return sink == nil ? nil : .whole(nil) }
            if error?.isCancelled != true { return sink == nil ? nil : .broken(false) }
            outcome.redirect = nil
        }
        // When the run reaches its total limit, the received bytes are kept for the next run.
        let mayResume = refusal.map { $0.code == .cancelled } ?? true
        let isBroken = mayResume && !isStoppedBySink && (error != nil || isShort(part))
        outcome.failure = failure(error, isBroken: isBroken)
        // Without a response there is no final URL.
        if outcome.status == nil { outcome.finalURL = nil }
        return error == nil && !isBroken ? .whole(verifier) : .broken(isBroken)
    }

    private func failure(
        _ error: TransportError?,
        isBroken: Bool
    ) -> (reason: BatchFailure, cause: RetryCause)? {
        if let refusal { return (refusal, .permanent) }
        if let slowness {
            return (slowness, .transfer(isTransient: true, mayHaveReachedServer: true))
        }
        if let error {
            // If the sink stopped the transfer, the sink reports a better reason.
            return isStoppedBySink ? Self.bodyRefused : AttemptOutcome.failure(error)
        }
        if let redirectError { return AttemptOutcome.failure(redirectError) }
        return isBroken
            ? AttemptOutcome.wrongLength : AttemptOutcome.failure(status: outcome.status)
    }

    /// Whether a partial response is too short.
    ///
    /// Without an announced length no other check detects this.
    private func isShort(_ part: RequestedPart?) -> Bool {
        guard let part, outcome.status == 206 else { return false }
        return outcome.bytes != part.present + Int64(part.range.count)
    }

    /// Returns the outcome with the sink's result, and leaves none here.
    mutating func takeOutcome(_ end: BodyEnd) -> AttemptOutcome {
        outcome.end = end
        if case .failed = end.own { outcome.redirect = nil }
        switch end.own {
        case .failed(let reason) where reason.isPartUnavailable:
            // Another run may be fetching the same body: this one doesn't use the partial file.
            outcome.isPartRefused = true
            outcome.failure = nil
        case .failed(let reason): outcome.failure = (reason, .permanent)
        case .mismatched(let reason): outcome.failure = (reason, .mismatch)
        default: break
        }
        return exchange(&outcome, with: AttemptOutcome())
    }

    private static let bodyRefused: (reason: BatchFailure, cause: RetryCause) = (
        BatchFailure(.output, "the output refused the body"), .permanent
    )
}
