internal import Dispatch
internal import Synchronization

/// An event that happens once: one side opens the gate, the other waits.
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

    /// Calls back once when the gate opens, on the thread that opens it; immediately if it is
    /// already open.
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

    /// Blocks the thread until the gate is open. Not for use in tasks.
    package func waitBlocking() {
        let opened = DispatchSemaphore(value: 0)
        onOpen { opened.signal() }
        opened.wait()
    }
}
