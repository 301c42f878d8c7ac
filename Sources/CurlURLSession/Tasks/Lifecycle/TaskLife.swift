/// The life cycle of a task, as a pure value.
///
/// Suspensions are counted: a task that was suspended twice runs after two calls of `resume`. A new
/// task has one suspension. The task starts when the count first reaches zero, and completes
/// exactly once, whatever the order of events.
struct TaskLife {
    /// The number of `resume` calls until the task runs.
    private(set) var suspensions = 1
    private(set) var hasBegun = false
    private(set) var isCancelled = false
    private(set) var isCompleted = false

    enum Action: Equatable {
        case none
        /// Start loading.
        case begin
        /// Pause the flow in both directions.
        case hold
        /// Resume the flow.
        case proceed
    }

    var state: URLSessionTask.State {
        if isCompleted { return .completed }
        if isCancelled { return .canceling }
        return suspensions == 0 ? .running : .suspended
    }

    /// Whether the task has started, and is neither being cancelled nor completed.
    var isInProgress: Bool { hasBegun && !isCancelled && !isCompleted }

    /// Whether the flow is paused.
    var isSuspended: Bool { suspensions > 0 }

    mutating func resume() -> Action {
        guard !isCompleted, !isCancelled, suspensions > 0 else { return .none }
        suspensions -= 1
        guard suspensions == 0 else { return .none }
        guard hasBegun else {
            hasBegun = true
            return .begin
        }
        return .proceed
    }

    mutating func suspend() -> Action {
        guard !isCompleted, !isCancelled else { return .none }
        suspensions += 1
        return suspensions == 1 ? .hold : .none
    }

    /// Returns false if the task was already cancelled or has completed.
    mutating func cancel() -> Bool {
        guard !isCompleted, !isCancelled else { return false }
        isCancelled = true
        return true
    }

    /// Returns false if the task had already completed.
    mutating func complete() -> Bool {
        guard !isCompleted else { return false }
        isCompleted = true
        return true
    }
}
