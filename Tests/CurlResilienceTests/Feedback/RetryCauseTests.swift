import CurlResilience
import Testing

/// Which failures are worth another attempt.
@Suite struct RetryCauseTests {
    /// These two statuses say that the server has not processed the request.
    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func unsafeRequestIsRetriedOnlyIfItWasNotProcessed(status: Int) {
        let cause = RetryCause.status(status)
        #expect(cause.isRetryable(isIdempotent: true))
        #expect(cause.isRetryable(isIdempotent: false) == (status == 425 || status == 429))
    }

    @Test(arguments: [-1, 0, 100, 302, 418, 421, 423, 507, 511, 600, Int.max])
    func otherStatusIsFinal(status: Int) {
        #expect(!RetryCause.status(status).isRetryable(isIdempotent: true))
    }

    @Test func wrongChecksumIsRetriedForIdempotentRequests() {
        #expect(RetryCause.mismatch.isRetryable(isIdempotent: true))
        #expect(!RetryCause.mismatch.isRetryable(isIdempotent: false))
    }

    @Test(arguments: [true, false])
    func lastingTransferFailureIsFinal(mayHaveReachedServer: Bool) {
        let cause = RetryCause.transfer(
            isTransient: false,
            mayHaveReachedServer: mayHaveReachedServer
        )
        #expect(!cause.isRetryable(isIdempotent: true))
    }
}
