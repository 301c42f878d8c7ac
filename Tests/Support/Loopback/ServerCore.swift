internal import CTestSupport
internal import Glibc
internal import Synchronization

/// The state that a server's loop thread shares with all other threads.
final class ServerCore: Sendable {
    struct State: Sendable {
        var connections: [ConnectionRecord] = []
        var openConnectionCount = 0
        var requestCount = 0
        var requests: [RecordedRequest] = []
    }

    private struct Mailbox: Sendable {
        /// An eventfd; -1 once it is closed, after the loop's end.
        var wakeup: Int32
        var isStopping = false
        var resumed: [Int] = []
    }

    let options: ServerOptions
    /// Returns the steps of a new connection; the argument is its number.
    let script: @Sendable (Int) -> [Step]
    let watched = Watched(State())
    let wakeup: Int32
    private let mailbox: Mutex<Mailbox>

    init(options: ServerOptions, script: @escaping @Sendable (Int) -> [Step]) throws {
        self.options = options
        self.script = script
        wakeup = ts_wakeup()
        guard wakeup >= 0 else { throw SystemError("eventfd") }
        mailbox = Mutex(Mailbox(wakeup: wakeup))
    }

    deinit { closeWakeup() }

    /// Resumes a connection that waits at a gate. Callable from any thread.
    func resume(_ connection: Int) {
        mailbox.withLock { mailbox in
            mailbox.resumed.append(connection)
            if mailbox.resumed.count == 1 { Self.signal(mailbox.wakeup) }
        }
    }

    func requestStop() {
        mailbox.withLock { mailbox in
            mailbox.isStopping = true
            Self.signal(mailbox.wakeup)
        }
    }

    /// Closes the eventfd. Call it only after the end of the loop, which is its only reader.
    func closeWakeup() {
        mailbox.withLock { mailbox in
            if mailbox.wakeup >= 0 { close(mailbox.wakeup) }
            mailbox.wakeup = -1
        }
    }

    /// Returns the messages since the last call. Only the loop calls it.
    func takeMail() -> (resumed: [Int], isStopping: Bool) {
        mailbox.withLock { mailbox in
            var count: UInt64 = 0
            _ = read(mailbox.wakeup, &count, 8)
            return (exchange(&mailbox.resumed, with: []), mailbox.isStopping)
        }
    }

    private static func signal(_ wakeup: Int32) {
        var one: UInt64 = 1
        if wakeup >= 0 { _ = write(wakeup, &one, 8) }
    }
}
