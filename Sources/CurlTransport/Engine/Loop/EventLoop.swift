internal import Posix

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
