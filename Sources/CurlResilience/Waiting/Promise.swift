internal import Synchronization

/// One value that any number of tasks wait for.
final class Promise<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value?
        var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// Sets the value and resumes the tasks. Later calls change nothing.
    func resolve(_ value: Value) {
        let waiters = state.withLock { state -> [CheckedContinuation<Value?, Never>] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// Waits for the value; nil if the task is cancelled before it.
    func value() async -> Value? {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isDone = state.withLock { state in
                    guard state.value == nil, !Task.isCancelled else { return true }
                    state.waiters[number] = waiter
                    return false
                }
                if isDone { waiter.resume(returning: state.withLock { $0.value }) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.resume(returning: nil)
        }
    }
}
