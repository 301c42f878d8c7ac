internal import Synchronization

/// A result that must be delivered exactly once; reports a second delivery at any time.
final class Once<Value: Sendable>: Sendable {
    private struct State {
        var count = 0
        var value: Value?
        var waiter: CheckedContinuation<Value, Never>?
    }

    private let state = Mutex(State())
    private let report: @Sendable (String) -> Void

    init(report: @escaping @Sendable (String) -> Void) {
        self.report = report
    }

    func fulfil(_ value: Value) {
        let (count, waiter) = state.withLock { state in
            state.count += 1
            if state.count == 1 { state.value = value }
            return (state.count, state.waiter.take())
        }
        if count > 1 { report("completes \(count) times") }
        waiter?.resume(returning: value)
    }

    /// Waits for the result. May be called once.
    func value() async -> Value {
        await withCheckedContinuation { waiter in
            let value = state.withLock { state in
                if state.value == nil { state.waiter = waiter }
                return state.value
            }
            if let value { waiter.resume(returning: value) }
        }
    }
}
