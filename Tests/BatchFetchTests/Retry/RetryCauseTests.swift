import Testing

@testable import BatchFetch

/// Which failures are worth another attempt, and how many retries a run has.
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

    @Test func negativeDelaysCountAsZero() {
        let policy = BatchRetryPolicy(baseDelay: .seconds(-5), maximumDelay: .seconds(-1))
        let decision = policy.decision(afterAttempt: 3, cause: .status(500), share: 1)
        #expect(decision == .retry(after: .zero, holdsHost: false))
    }

    @Test func maximumDelayOfLessThanTheFirstDelayApplies() {
        let policy = BatchRetryPolicy(baseDelay: .seconds(9), maximumDelay: .seconds(2))
        let decision = policy.decision(afterAttempt: 1, cause: .status(500), share: 1)
        #expect(decision == .retry(after: .seconds(2), holdsHost: false))
    }

    @Test func requestedPauseDoesNotRetryAFinalFailure() {
        let decision = BatchRetryPolicy().decision(
            afterAttempt: 1,
            cause: .status(404),
            retryAfter: .seconds(1),
            share: 0
        )
        #expect(decision == .giveUp)
        let never = BatchRetryPolicy.never.decision(
            afterAttempt: 1,
            cause: .status(503),
            retryAfter: .seconds(1),
            share: 0
        )
        #expect(never == .giveUp)
    }

    @Test func budgetIsTheReserveAndAShareOfAllURLs() {
        var budget = RetryBudget(share: 0.25, reserve: 2)
        #expect([budget.spend(), budget.spend(), budget.spend()] == [true, true, false])
        for _ in 0..<3 { budget.earn() }
        let isEnough = budget.spend()
        #expect(!isEnough, "three quarters are no retry")
        budget.earn()
        #expect([budget.spend(), budget.spend()] == [true, false])
    }

    @Test func budgetOfNothingAllowsNoRetry() {
        var budget = RetryBudget(share: 0, reserve: 0)
        for _ in 0..<100 { budget.earn() }
        let isEnough = budget.spend()
        #expect(!isEnough)
    }
}
