import TestSupport
import Testing

@testable import BatchFetch

@Suite struct BatchRetryPolicyTests {
    private let policy = BatchRetryPolicy(
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
                    case .retry(let delay, false) = policy.decision(
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
            policy.decision(
                afterAttempt: 3,
                cause: .status(500),
                share: .random(in: 0...1, using: &one)
            )
                == policy.decision(
                    afterAttempt: 3,
                    cause: .status(500),
                    share: .random(in: 0...1, using: &other)
                )
        )
    }

    @Test func limitCountsRetries() {
        var generator = SeededGenerator(seed: 1)
        let twice = BatchRetryPolicy(limit: 2)
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
            BatchRetryPolicy.never.decision(
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
        let decision = policy.decision(
            afterAttempt: 1,
            cause: .status(status),
            share: .random(in: 0...1, using: &generator)
        )
        #expect((decision != .giveUp) == isRetried)
    }

    @Test func nonIdempotentRequestIsRetriedOnlyIfItWasNotProcessed() {
        var generator = SeededGenerator(seed: 1)
        func isRetried(_ cause: RetryCause) -> Bool {
            policy.decision(
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
            policy.decision(
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
        let decision = policy.decision(
            afterAttempt: 1,
            cause: .status(429),
            retryAfter: .zero,
            share: 0.5
        )
        #expect(decision == .retry(after: .milliseconds(50), holdsHost: false))
        #expect(policy.pause(.zero) == nil)
    }

    @Test func extremeValuesDoNotOverflow() {
        var generator = SeededGenerator(seed: 1)
        let extreme = BatchRetryPolicy(
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
}
