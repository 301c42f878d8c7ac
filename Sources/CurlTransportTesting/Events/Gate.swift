internal import Synchronization

/// An event that happens once: one side opens the gate, the other waits.
///
/// A test holds a reply back at a gate, checks what happens meanwhile, and opens it.
public final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var callbacks: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Whether the gate was opened.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Opens the gate for good. Any thread may call it, any number of times.
    public func open() {
        let callbacks = state.withLock { state in
            state.isOpen = true
            defer { state.callbacks = [] }
            return state.callbacks
        }
        for callback in callbacks { callback() }
    }

    /// Calls back once when the gate opens, on the thread that opens it; immediately if it is
    /// already open.
    public func onOpen(_ callback: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.callbacks.append(callback) }
            return state.isOpen
        }
        if isOpen { callback() }
    }

    /// Suspends until the gate is open.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func wait() async throws {
        let opened = Watched(false)
        onOpen { opened.update { $0 = true } }
        try await opened.wait { $0 ? () : nil }
    }
}
