import Curl
import Synchronization

/// One of the disk threads, and the bell that wakes it.
final class DiskThread: Sendable {
    let bell: Wakeup
    private let thread = Mutex<LoopThread?>(nil)

    init() throws(SystemFailure) {
        bell = try Wakeup()
    }

    func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
        try thread.withLock { thread throws(SystemFailure) in
            thread = try LoopThread(name: name, body: body)
        }
    }

    /// Waits for its end, if it was started.
    func join() {
        thread.withLock { $0.take() }?.join()
    }
}
