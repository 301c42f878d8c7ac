import CurlResilience
import TestSupport
import Testing

@Suite struct RetryRulesTests {
    private let rules = RetryRules(
        limit: 10,
        baseDelay: .milliseconds(100),
        maximumDelay: .seconds(2),
        maximumRetryAfter: .seconds(60)
    )

    @Test func delayIsRandomBelowADoublingCeiling() {
        let ceilings = [100, 200, 400, 800, 1600, 2000, 2000]
        for (index, ceiling) in ceilings.enumerated() {
            var generator = SeededGenerator(seed: UInt64(index))
            var longest = Duration.zero
            for _ in 0..<500 {
                guard
                    case .retry(let delay, false) = rules.decision(
                        afterAttempt: index + 1,
                        cause: .status(503),
                        share: .random(in: 0...1, using: &generator)
                    )
                else { continue }
                #expect(delay >= .zero && delay <= .milliseconds(ceiling))
                longest = max(longest, delay)
            }
            #expect(longest > .milliseconds(ceiling) * 0.9)
        }
    }

    @Test func sameGeneratorGivesTheSameDecision() {
        var one = SeededGenerator(seed: 7)
        var other = SeededGenerator(seed: 7)
        #expect(
            rules.decision(
                afterAttempt: 3,
                cause: .status(500),
                share: .random(in: 0...1, using: &one)
            )
                == rules.decision(
                    afterAttempt: 3,
                    cause: .status(500),
                    share: .random(in: 0...1, using: &other)
                )
        )
    }

    @Test func limitCountsRetries() {
        var generator = SeededGenerator(seed: 1)
        let twice = RetryRules.usual(limit: 2)
        for attempt in 1...2 {
            #expect(
                twice.decision(
                    afterAttempt: attempt,
                    cause: .status(500),
                    share: .random(in: 0...1, using: &generator)
                )
                    != .giveUp
            )
        }
        #expect(
            twice.decision(
                afterAttempt: 3,
                cause: .status(500),
                share: .random(in: 0...1, using: &generator)
            ) == .giveUp
        )
        #expect(
            RetryRules.usual(limit: 0).decision(
                afterAttempt: 1,
                cause: .status(500),
                share: .random(in: 0...1, using: &generator)
            )
                == .giveUp
        )
    }

    @Test(arguments: [
        (408, true), (425, true), (429, true), (500, true), (502, true), (503, true), (504, true),
        (301, false), (304, false), (400, false), (401, false), (403, false), (404, false),
        (410, false), (451, false), (501, false), (505, false), (599, false),
    ])
    func statusDecidesWhetherToRetry(status: Int, isRetried: Bool) {
        var generator = SeededGenerator(seed: 1)
        let decision = rules.decision(
            afterAttempt: 1,
            cause: .status(status),
            share: .random(in: 0...1, using: &generator)
        )
        #expect((decision != .giveUp) == isRetried)
    }

    @Test func nonIdempotentRequestIsRetriedOnlyIfItWasNotProcessed() {
        var generator = SeededGenerator(seed: 1)
        func isRetried(_ cause: RetryCause) -> Bool {
            rules.decision(
                afterAttempt: 1,
                cause: cause,
                isIdempotent: false,
                share: .random(in: 0...1, using: &generator)
            ) != .giveUp
        }
        #expect(!isRetried(.status(500)))
        #expect(!isRetried(.status(504)))
        #expect(isRetried(.status(429)))
        #expect(!isRetried(.transfer(isTransient: true, mayHaveReachedServer: true)))
        #expect(isRetried(.transfer(isTransient: true, mayHaveReachedServer: false)))
        #expect(!isRetried(.transfer(isTransient: false, mayHaveReachedServer: false)))
        #expect(!isRetried(.permanent))
    }

    @Test func retryAfterIsUsedUpToTheMaximum() {
        var generator = SeededGenerator(seed: 1)
        func decision(_ retryAfter: Duration) -> RetryDecision {
            rules.decision(
                afterAttempt: 1,
                cause: .status(429),
                retryAfter: retryAfter,
                share: .random(in: 0...1, using: &generator)
            )
        }
        #expect(decision(.seconds(7)) == .retry(after: .seconds(7), holdsHost: true))
        #expect(decision(.seconds(3600)) == .retry(after: .seconds(60), holdsHost: true))
    }

    @Test func retryAfterOfZeroUsesTheDefaultDelay() {
        let decision = rules.decision(
            afterAttempt: 1,
            cause: .status(429),
            retryAfter: .zero,
            share: 0.5
        )
        #expect(decision == .retry(after: .milliseconds(50), holdsHost: false))
        #expect(rules.pause(.zero) == nil)
    }

    @Test func extremeValuesDoNotOverflow() {
        var generator = SeededGenerator(seed: 1)
        let extreme = RetryRules(
            limit: .max,
            baseDelay: .seconds(Int64.max / 4),
            maximumDelay: .seconds(Int64.max / 2),
            maximumRetryAfter: .seconds(-1)
        )
        for attempt in [Int.min, 0, 1, 100, .max - 1] {
            _ = extreme.decision(
                afterAttempt: attempt,
                cause: .status(500),
                share: .random(in: 0...1, using: &generator)
            )
        }
        let decision = extreme.decision(
            afterAttempt: 1,
            cause: .status(500),
            retryAfter: .seconds(5),
            share: 0
        )
        #expect(decision == .retry(after: .zero, holdsHost: false))
    }

    @Test func negativeDelaysCountAsZero() {
        let rules = RetryRules.usual(baseDelay: .seconds(-5), maximumDelay: .seconds(-1))
        let decision = rules.decision(afterAttempt: 3, cause: .status(500), share: 1)
        #expect(decision == .retry(after: .zero, holdsHost: false))
    }

    @Test func maximumDelayOfLessThanTheFirstDelayApplies() {
        let rules = RetryRules.usual(baseDelay: .seconds(9), maximumDelay: .seconds(2))
        let decision = rules.decision(afterAttempt: 1, cause: .status(500), share: 1)
        #expect(decision == .retry(after: .seconds(2), holdsHost: false))
    }

    @Test func requestedPauseDoesNotRetryAFinalFailure() {
        let decision = RetryRules.usual().decision(
            afterAttempt: 1,
            cause: .status(404),
            retryAfter: .seconds(1),
            share: 0
        )
        #expect(decision == .giveUp)
        let never = RetryRules.usual(limit: 0).decision(
            afterAttempt: 1,
            cause: .status(503),
            retryAfter: .seconds(1),
            share: 0
        )
        #expect(never == .giveUp)
    }
}

extension RetryRules {
    /// Rules with the delays of a batch.
    static func usual(
        limit: Int = 3,
        baseDelay: Duration = .milliseconds(500),
        maximumDelay: Duration = .seconds(30)
    ) -> RetryRules {
        RetryRules(
            limit: limit,
            baseDelay: baseDelay,
            maximumDelay: maximumDelay,
            maximumRetryAfter: .seconds(120)
        )
    }
}
