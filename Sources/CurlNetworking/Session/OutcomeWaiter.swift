internal import Synchronization

/// Hands what a task has come to to the Swift task that waits for it, whoever comes first.
final class OutcomeWaiter: Sendable {
    private enum State: Sendable {
        case open
        case waiting(CheckedContinuation<TaskOutcome, Never>)
        case done(TaskOutcome)
    }

    private let state = Mutex(State.open)

    /// The task is over.
    func take(_ outcome: TaskOutcome) {
        let continuation = state.withLock { state -> CheckedContinuation<TaskOutcome, Never>? in
            guard case .waiting(let continuation) = state else {
                state = .done(outcome)
                return nil
            }
            state = .done(outcome)
            return continuation
        }
        continuation?.resume(returning: outcome)
    }

    /// Waits for the task's end. To be called once.
    func outcome() async -> TaskOutcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> TaskOutcome? in
                if case .done(let outcome) = state { return outcome }
                state = .waiting(continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
