public import Foundation

/// What becomes of a task whose attempt has failed.
public enum RetryResult: Sendable {
    /// It is tried again at once.
    case retry
    /// It is tried again after so many seconds, in which no thread waits.
    case retryWithDelay(TimeInterval)
    /// The failure is final, as far as this retrier is concerned: the next one is asked.
    case doNotRetry
    /// The failure is final, and this is what it is told as.
    case doNotRetryWithError(any Error)
}
