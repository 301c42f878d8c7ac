internal import CTestSupport
internal import Glibc
internal import Synchronization

/// What a server's loop thread and everyone else share.
final class ServerCore: Sendable {
    struct State: Sendable {
        var connections: [ConnectionRecord] = []
        var openConnectionCount = 0
        var requestCount = 0
        var requests: [RecordedRequest] = []
    }

    private struct Mailbox: Sendable {
        /// An eventfd, closed (-1) when the loop has ended.
        var wakeup: Int32
        var isStopping = false
        var resumed: [Int] = []
    }

    let options: ServerOptions
    /// The steps of a new connection, by its number.
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

    /// Lets a connection that waited at a gate go on. From any thread.
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

    /// Called when the loop has ended, which alone reads it.
    func closeWakeup() {
        mailbox.withLock { mailbox in
            if mailbox.wakeup >= 0 { close(mailbox.wakeup) }
            mailbox.wakeup = -1
        }
    }

    /// The loop's side: what has come since it last asked.
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
