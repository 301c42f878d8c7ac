internal import Dispatch
internal import Synchronization

/// An event that happens once. Tests open gates and servers wait at them, or the other way round.
package final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var callbacks: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    package func open() {
        let callbacks = state.withLock { state in
            state.isOpen = true
            defer { state.callbacks = [] }
            return state.callbacks
        }
        for callback in callbacks { callback() }
    }

    /// Calls back once, on the thread that opens the gate, or at once when it is open already.
    package func onOpen(_ callback: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.callbacks.append(callback) }
            return state.isOpen
        }
        if isOpen { callback() }
    }

    /// Suspends until the gate is open. Throws `CancellationError` when the task is cancelled.
    package func wait() async throws {
        let opened = Watched(false)
        onOpen { opened.update { $0 = true } }
        try await opened.wait { $0 ? () : nil }
    }

    /// Blocks the thread until the gate is open. Not for tasks.
    package func waitBlocking() {
        let opened = DispatchSemaphore(value: 0)
        onOpen { opened.signal() }
        opened.wait()
    }
}
