import Synchronization

/// A thread that its owner wakes for work, and ends.
///
/// The owner stores work first, then calls ``wake()``. The thread takes the work each time that
/// ``wait(until:)`` returns, and a last time after it has returned false. So no work is lost that
/// was stored before ``end()``; ``startRepeating(_:)`` does exactly this.
///
/// The thread keeps the worker until the thread's closure has returned, so the owner must call
/// ``end()``, or ``join()`` if the closure returns by itself.
package final class Worker: Sendable {
    private struct State: ~Copyable {
        var thread: JoinedThread?
        var isStarted = false
    }

    typealias ThreadMaker =
        (String, @escaping @Sendable () -> Void) throws(SystemFailure) -> JoinedThread

    private let name: String
    private let wakeup: Wakeup
    private let isEndRequested = Atomic(false)
    private let state = Mutex(State())

    /// Creates a worker without a thread.
    ///
    /// - Parameter name: The thread's name in `top -H` and debuggers; the kernel keeps 15 bytes.
    package init(name: String) throws(SystemFailure) {
        self.name = name
        wakeup = try Wakeup()
    }

    deinit {
        // Without a call of end() the closure has returned. If the thread releases the last
        // reference itself, joining doesn't wait.
        state.withLock { $0.thread.take()?.join() }
    }

    // MARK: The owner

    /// Starts the thread, which runs `body` once.
    ///
    /// Does nothing if the thread was started before, or after ``end()``. If the system can't
    /// create the thread, the worker is as before: a later call may start it.
    package func start(_ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
        try start(body) { (name, body) throws(SystemFailure) in
            try JoinedThread(name: name, body: body)
        }
    }

    /// Starts the thread with `makeThread`, which a test lets fail.
    func start(
        _ body: @escaping @Sendable () -> Void,
        with makeThread: ThreadMaker
    ) throws(SystemFailure) {
        try state.withLock { state throws(SystemFailure) in
            guard !state.isStarted, !isEnding else { return }
            state.thread = try makeThread(name) { [self] in withExtendedLifetime(self, body) }
            state.isStarted = true
        }
    }

    /// Starts the thread, which calls `turn` again and again.
    ///
    /// The first turn starts at once, others at each wake-up and at the deadline that the former
    /// turn returned; nil is no deadline. The last turn starts after ``end()`` was called. See
    /// ``start(_:)``.
    package func startRepeating(
        _ turn: @escaping @Sendable () -> MonotonicTime?
    ) throws(SystemFailure) {
        try start { [self] in
            while wait(until: turn()) {}
            _ = turn()
        }
    }

    /// Ends the wait of the thread; its next wait if it isn't waiting. May be called on any thread.
    package func wake() {
        wakeup.signal()
    }

    /// Requests the thread's end, and waits for it. Returns at once if there is no thread.
    ///
    /// May be called several times and on any thread except the worker's own. Each call returns
    /// after the thread has ended.
    package func end() {
        isEndRequested.store(true, ordering: .sequentiallyConsistent)
        wakeup.signal()
        join()
    }

    /// Waits for the thread's end without requesting it. Otherwise the same as ``end()``.
    package func join() {
        // Joined under the lock, so that no other call returns before the thread's end.
        state.withLock { $0.thread.take()?.join() }
    }

    // MARK: The thread

    /// Waits for ``wake()``, ``end()`` or the deadline; nil waits without a limit.
    ///
    /// - Returns: False once ``end()`` was called; then it no longer waits.
    package func wait(until deadline: MonotonicTime?) -> Bool {
        guard !isEnding else { return false }
        wakeup.wait(until: deadline)
        return !isEnding
    }

    /// Whether ``end()`` was called. For threads that wait in a ``Reactor``.
    package var isEnding: Bool { isEndRequested.load(ordering: .sequentiallyConsistent) }

    /// Readable after ``wake()`` and ``end()``. For threads that wait in a ``Reactor``.
    package var descriptor: Int32 { wakeup.descriptor }
}
