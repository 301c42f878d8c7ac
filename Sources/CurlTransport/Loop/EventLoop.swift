internal import Curl

/// One loop thread, as the rest of the process sees it.
///
/// The thread owns everything that libcurl works with, in a ``Driver`` that is made on it and that
/// no other thread can reach. What others want of it goes through the mailbox.
final class EventLoop: Sendable {
    /// The loop's number in its transport.
    let index: Int
    /// Who is to be woken at the end of the turn.
    let wakeUps = WakeUpQueue()
    /// What small responses are handed to tasks in.
    let spareMemory = SpareMemory()
    private let mailbox: Mailbox
    private let thread = WatchedThread()

    init(index: Int, shared: SharedResources) throws(SystemFailure) {
        self.index = index
        mailbox = try Mailbox()
        try thread.start(name: "curl-loop-\(index)") { [self] in run(shared) }
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
    }

    /// Posts a command; false if the loop has ended.
    @discardableResult
    func post(_ command: Command) -> Bool {
        mailbox.post(command)
    }

    /// Waits until the thread is gone.
    func waitForEnd() async {
        await thread.waitForEnd()
    }
}
