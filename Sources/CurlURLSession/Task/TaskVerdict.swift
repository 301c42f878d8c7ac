package import Foundation

/// What becomes of a task whose attempt has come to its end.
package enum TaskVerdict: Sendable, Hashable {
    /// The task ends as its attempt has.
    case complete
    /// Another attempt begins after so many seconds, as if there had been none: nothing of the former one's
    /// response is left but its metrics.
    case retry(after: TimeInterval)
}
