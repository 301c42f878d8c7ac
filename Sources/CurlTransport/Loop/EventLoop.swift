internal import Curl
internal import Synchronization

/// One loop thread, as the rest of the process sees it.
///
/// The thread owns everything that libcurl works with, in a ``Driver`` that is made on it and that
/// no other thread can reach. What others want of it goes through the mailbox.
final class EventLoop: Sendable {
    private struct State {
        var hasEnded = false
        var waiting: [@Sendable () -> Void] = []
    }

    /// The loop's number in its transport.
    let index: Int
    /// Who is to be woken at the end of the turn.
    let wakeUps = WakeUpQueue()
    /// What small responses are handed to tasks in.
    let spareMemory = SpareMemory()
    private let mailbox: Mailbox
    private let state = Mutex(State())
    /// Nil once the thread is joined.
    private let thread = Mutex<LoopThread?>(nil)

    init(index: Int, shared: SharedResources) throws(SystemFailure) {
        self.index = index
        mailbox = try Mailbox()
        try thread.withLock { thread throws(SystemFailure) in
            thread = try LoopThread(name: "curl-loop-\(index)") { [self] in run(shared) }
        }
    }

    /// The thread's life.
    private func run(_ shared: SharedResources) {
        do {
            try Driver(loop: self, mailbox: mailbox, shared: shared).run()
        } catch {
            let reason = TransportError.resourceExhausted("a loop can't start: \(error)")
            for command in mailbox.close() { command.refuse(reason) }
        }
        spareMemory.close()
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for tell in waiting { tell() }
    }

    /// Posts a command; false if the loop has ended.
    @discardableResult
    func post(_ command: Command) -> Bool {
        mailbox.post(command)
    }

    /// Calls `tell` when the loop has done its last work, on its thread, or at once if it has.
    func whenEnded(_ tell: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.waiting.append(tell) }
            return state.hasEnded
        }
        if hasEnded { tell() }
    }

    /// Waits until the thread has ended. Must not be called on it.
    func join() {
        // Under the lock, so that a second caller doesn't return before the thread is gone.
        thread.withLock { $0.take()?.join() }
    }
}
