internal import Posix
internal import Synchronization

/// One loop thread, as seen by other threads.
///
/// The thread owns all libcurl handles, in a ``LoopDriver`` that is created on it and that no other
/// thread can reach. Other threads post commands to the mailbox.
final class EventLoop: Sendable {
    /// The loop's number in its transport.
    let index: Int
    /// The tasks to wake at the end of the turn.
    let wakeUps = WakeUpQueue()
    /// The buffers in which small responses are handed to tasks.
    let bufferPool = BufferPool()
    private let mailbox: Mailbox
    private let thread = WatchedThread()

    init(index: Int, shared: SharedResources) throws(SystemFailure) {
        self.index = index
        mailbox = try Mailbox()
        try thread.start(name: "curl-loop-\(index)") { [self] in run(shared) }
    }

    /// The body of the thread.
    private func run(_ shared: SharedResources) {
        do {
            try LoopDriver(loop: self, mailbox: mailbox, shared: shared).run()
        } catch {
            let reason = TransportError.resourceExhausted("a loop can't start: \(error)")
            for command in mailbox.close() { command.refuse(reason) }
        }
        bufferPool.close()
    }

    /// Posts a command; false if the loop has ended.
    @discardableResult
    func post(_ command: Command) -> Bool {
        mailbox.post(command)
    }

    /// Waits until the thread has ended.
    func waitForEnd() async {
        await thread.waitForEnd()
    }
}

/// The queue of commands for a loop, posted by any thread.
///
/// Only the first command that finds the loop asleep pays for a wake-up.
final class Mailbox: Sendable {
    private struct State {
        var commands: [Command] = []
        /// Transfers whose cancellation has been posted and not yet carried out.
        var cancelled: Set<TransferID> = []
        var isLoopAsleep = false
        /// Nil after ``close()``.
        var wakeup: SharedWakeup?
    }

    private let state: Mutex<State>
    /// The count of `cancelled`, which can be read without the lock.
    private let cancelledCount = Atomic(0)

    /// Becomes readable when there are commands. Valid until the mailbox is closed.
    let descriptor: Int32

    init() throws(SystemFailure) {
        let wakeup = try SharedWakeup()
        descriptor = wakeup.wakeup.descriptor
        state = Mutex(State(wakeup: wakeup))
    }

    /// Adds a command. Returns false if the loop has ended and will never take it.
    @discardableResult
    func post(_ command: Command) -> Bool {
        let (isOpen, wakeup): (Bool, SharedWakeup?) = state.withLock { state in
            guard let wakeup = state.wakeup else { return (false, nil) }
            state.commands.append(command)
            if case .cancel(let id) = command {
                state.cancelled.insert(id)
                cancelledCount.store(state.cancelled.count, ordering: .releasing)
            }
            let mustWake = state.isLoopAsleep
            state.isLoopAsleep = false
            return (true, mustWake ? wakeup : nil)
        }
        // Not under the lock, which the loop takes as soon as it wakes.
        wakeup?.wakeup.signal()
        return isOpen
    }

    // MARK: Loop

    /// Announces that the loop is about to wait. Returns false if it must not, because there are
    /// commands.
    func prepareToWait() -> Bool {
        state.withLock { state in
            state.isLoopAsleep = state.commands.isEmpty
            return state.isLoopAsleep
        }
    }

    /// Makes ``descriptor`` unreadable again.
    func clearWakeup() {
        let wakeup = state.withLock { $0.wakeup }
        wakeup?.wakeup.clear()
    }

    /// Swaps the commands with the given empty array.
    func takeAll(into commands: inout [Command]) {
        state.withLock { state in
            state.isLoopAsleep = false
            swap(&state.commands, &commands)
        }
    }

    /// Whether a transfer's cancellation has been posted and not yet carried out.
    func hasCancelled(_ id: TransferID) -> Bool {
        guard cancelledCount.load(ordering: .acquiring) > 0 else { return false }
        return state.withLock { $0.cancelled.contains(id) }
    }

    /// Records that a cancellation has been carried out.
    func forgetCancellation(of id: TransferID) {
        state.withLock { state in
            state.cancelled.remove(id)
            cancelledCount.store(state.cancelled.count, ordering: .releasing)
        }
    }

    /// Accepts no more commands, returns the remaining ones, and releases the descriptor.
    func close() -> [Command] {
        state.withLock { state in
            state.wakeup = nil
            defer { state.commands = [] }
            return state.commands
        }
    }
}

/// A reference-counted wakeup for a thread.
///
/// A thread that is about to signal it holds a reference, so that the descriptor can't have been
/// closed and reused by then.
final class SharedWakeup: Sendable {
    let wakeup: Wakeup

    init() throws(SystemFailure) {
        wakeup = try Wakeup()
    }
}
