internal import Posix
internal import Synchronization

/// The state that a server's loop thread shares with all other threads.
final class ServerCore: Sendable {
    struct State: Sendable {
        var connections: [LoopbackConnection] = []
        var openConnectionCount = 0
        /// By how many the limit of connections was exceeded at most.
        var excessConnectionCount = 0
        var requestCount = 0
        var requests: [LoopbackRequest] = []
    }

    private struct Mailbox: Sendable {
        /// Nil after the loop's end.
        var wakeup: SharedWakeup?
        var isStopping = false
        var resumed: [Int] = []
    }

    let options: LoopbackOptions
    /// Returns the steps of a new connection; the argument is its number.
    let script: @Sendable (Int) -> [LoopbackStep]
    let watched = Watched(State())
    private let mailbox: Mutex<Mailbox>

    init(options: LoopbackOptions, script: @escaping @Sendable (Int) -> [LoopbackStep]) throws {
        self.options = options
        self.script = script
        mailbox = Mutex(Mailbox(wakeup: try SharedWakeup()))
    }

    /// Becomes readable when there is mail; nil after the loop's end.
    var wakeup: Int32? { mailbox.withLock { $0.wakeup?.wakeup.descriptor } }

    /// Resumes a connection that waits at a gate. Callable from any thread.
    func resume(_ connection: Int) {
        mailbox.withLock { mailbox in
            mailbox.resumed.append(connection)
            if mailbox.resumed.count == 1 { mailbox.wakeup?.wakeup.signal() }
        }
    }

    func requestStop() {
        mailbox.withLock { mailbox in
            mailbox.isStopping = true
            mailbox.wakeup?.wakeup.signal()
        }
    }

    /// Releases the descriptor. Call it only after the end of the loop, which is its only reader.
    func closeWakeup() {
        mailbox.withLock { $0.wakeup = nil }
    }

    /// Returns the messages since the last call. Only the loop calls it.
    func takeMail() -> (resumed: [Int], isStopping: Bool) {
        mailbox.withLock { mailbox in
            mailbox.wakeup?.wakeup.clear()
            defer { mailbox.resumed = [] }
            return (mailbox.resumed, mailbox.isStopping)
        }
    }

    /// A wakeup that a mailbox can hold.
    private final class SharedWakeup: Sendable {
        let wakeup: Wakeup

        init() throws(SystemFailure) {
            wakeup = try Wakeup()
        }
    }
}
