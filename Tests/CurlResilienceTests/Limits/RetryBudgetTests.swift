import CurlResilience
import Testing

@Suite struct RetryBudgetTests {
    @Test func retryBudgetIsAShareOfAllRequests() {
        var budget = RetryBudget(share: 0.2, reserve: 3)
        var spent = 0
        for _ in 0..<1000 {
            budget.earn()
            while budget.spend() { spent += 1 }
        }
        #expect((202...203).contains(spent))
        var none = RetryBudget(share: 0, reserve: 0)
        none.earn()
        let isSpent = none.spend()
        #expect(!isSpent)
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

    @Test("A long time without retries saves no more than the maximum")
    func savedRetriesAreLimited() {
        var budget = RetryBudget(share: 0.2, reserve: 3, maximum: 10)
        for _ in 0..<1_000_000 { budget.earn() }
        var spent = 0
        while budget.spend() { spent += 1 }
        #expect(spent == 10)
    }

    @Test("A reserve above the maximum counts in full")
    func reserveCountsInFull() {
        var budget = RetryBudget(share: 0.2, reserve: 5, maximum: 1)
        var spent = 0
        while budget.spend() { spent += 1 }
        #expect(spent == 5)
    }
}
