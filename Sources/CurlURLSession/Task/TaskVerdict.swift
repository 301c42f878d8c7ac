package import Foundation

/// What becomes of a task whose attempt has come to its end.
package enum TaskVerdict: Sendable {
    /// The task ends as its attempt has.
    case complete
    /// Another attempt begins after so many seconds, as if there had been none: nothing of the former one's
    /// response is left but its metrics.
    ///
    /// `whenAccepted` is called before anything is heard of that attempt, unless the verdict comes too late:
    /// then what there is of the former one is how the task ends.
    case retry(after: TimeInterval, whenAccepted: (@Sendable () -> Void)? = nil)
}
