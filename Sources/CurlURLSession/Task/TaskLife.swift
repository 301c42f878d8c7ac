/// The life of a task as a pure value: events in, actions out.
///
/// Suspensions are counted: a task that was suspended twice runs after two calls of `resume`. It is
/// created with one, begins when there is none for the first time, and completes exactly once,
/// whatever happens in whatever order.
struct TaskLife {
    /// How many calls of `resume` are missing.
    private(set) var suspensions = 1
    private(set) var hasBegun = false
    private(set) var isCancelled = false
    private(set) var isCompleted = false

    enum Action: Equatable {
        case none
        /// Begin to load.
        case begin
        /// Let nothing flow.
        case hold
        /// Let flow again.
        case proceed
    }

    var state: URLSessionTask.State {
        if isCompleted { return .completed }
        if isCancelled { return .canceling }
        return suspensions == 0 ? .running : .suspended
    }

    /// Nothing may flow.
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

    /// False if there is nothing to cancel any more.
    mutating func cancel() -> Bool {
        guard !isCompleted, !isCancelled else { return false }
        isCancelled = true
        return true
    }

    /// False if it has completed before.
    mutating func complete() -> Bool {
        guard !isCompleted else { return false }
        isCompleted = true
        return true
    }
}
