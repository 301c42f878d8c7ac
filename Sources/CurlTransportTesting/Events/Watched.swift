internal import Synchronization

/// A value under a lock that tasks can wait on, instead of sleeping.
///
/// ```swift
/// let count = Watched(0)
/// Task { count.update { $0 += 1 } }
/// let reached = try await count.wait { $0 > 0 ? $0 : nil }
/// ```
public final class Watched<Value: Sendable>: Sendable {
    private struct Waiter: Sendable {
        /// Returns a closure to call outside the lock if the value satisfies the wait.
        let check: @Sendable (Value) -> (@Sendable () -> Void)?
        let cancel: @Sendable () -> Void
    }

    private struct State: Sendable {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        /// Waits that were cancelled before they were registered.
        var cancelled: Set<Int> = []
        var nextID = 0

        mutating func takeSatisfied() -> [@Sendable () -> Void] {
            guard !waiters.isEmpty else { return [] }
            var actions: [@Sendable () -> Void] = []
            for (id, waiter) in waiters {
                guard let action = waiter.check(value) else { continue }
                waiters[id] = nil
                actions.append(action)
            }
            return actions
        }
    }

    private let state: Mutex<State>

    /// Creates a watched value.
    public init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// Calls `body` with the value, under the lock.
    public func read<Result: Sendable>(_ body: (Value) -> Result) -> Result {
        state.withLock { body($0.value) }
    }

    /// Changes the value, and resumes the waiters that the new value satisfies.
    @discardableResult
    public func update<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let (result, actions) = state.withLock { state in
            let result = body(&state.value)
            return (result, state.takeSatisfied())
        }
        for action in actions { action() }
        return result
    }

    /// Waits until `probe` returns a value, and returns it.
    ///
    /// - Throws: `CancellationError` if the waiting task is cancelled.
    public func wait<Result: Sendable>(
        for probe: @escaping @Sendable (Value) -> Result?
    ) async throws -> Result {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                register(id, probe, continuation)
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func register<Result: Sendable>(
        _ id: Int,
        _ probe: @escaping @Sendable (Value) -> Result?,
        _ continuation: CheckedContinuation<Result, any Error>
    ) {
        let waiter = Waiter(
            check: { value in
                guard let found = probe(value) else { return nil }
                return { continuation.resume(returning: found) }
            },
            cancel: { continuation.resume(throwing: CancellationError()) }
        )
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            if state.cancelled.remove(id) != nil { return waiter.cancel }
            if let action = waiter.check(state.value) { return action }
            state.waiters[id] = waiter
            return nil
        }
        action?()
    }

    private func cancel(_ id: Int) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if waiter == nil { state.cancelled.insert(id) }
            return waiter
        }
        waiter?.cancel()
    }
}
