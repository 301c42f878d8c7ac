internal import CTestSupport
internal import Glibc
internal import Synchronization

/// A POSIX thread with a small stack that is always joined.
package final class NativeThread: Sendable {
    /// Carries the closure into the thread's start routine.
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private let thread: pthread_t
    private let isJoined = Mutex(false)

    /// Linux shows only the first 15 bytes of the name.
    package init(name: String, body: @escaping @Sendable () -> Void) throws {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 512 * 1024)
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread,
            &attributes,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                ts_name_thread(start.name)
                start.body()
                return nil
            },
            start.toOpaque()
        )
        guard result == 0 else {
            start.release()
            throw SystemError("pthread_create", result)
        }
        self.thread = thread
    }

    /// Waits for the thread's end. A thread that joins itself is detached instead.
    package func join() {
        if pthread_equal(pthread_self(), thread) != 0 {
            let wasJoined = isJoined.withLock { exchange(&$0, with: true) }
            if !wasJoined { pthread_detach(thread) }
            return
        }
        // Held during the join, so that a second caller also returns only after the thread's end.
        isJoined.withLock { isJoined in
            if !exchange(&isJoined, with: true) { pthread_join(thread, nil) }
        }
    }

    /// Runs blocking work on its own thread, so that it blocks none of Swift's pool.
    package static func run<Result: Sendable>(
        _ name: String = "blocking work",
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let outcome = Watched<Swift.Result<Result, any Error>?>(nil)
        let thread = try NativeThread(name: name) {
            let result = Swift.Result { try work() }
            outcome.update { $0 = result }
        }
        defer { thread.join() }
        return try await outcome.wait { $0 }.get()
    }

    deinit { join() }
}

/// Stores a new value and returns the old one.
func exchange<Value>(_ place: inout Value, with value: Value) -> Value {
    let old = place
    place = value
    return old
}
