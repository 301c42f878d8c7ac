internal import CPosix
internal import Glibc

/// A thread that its owner joins.
///
/// It blocks every signal: signals belong to the host program's threads, and a `SIGPIPE` that a
/// socket raises on this thread has no effect.
package struct JoinedThread: ~Copyable, Sendable {
    private let thread: pthread_t

    /// Starts a thread that runs `body` and ends.
    ///
    /// - Parameter name: The name in `top -H` and debuggers; the kernel keeps 15 bytes of it.
    package init(
        name: String,
        body: @escaping @Sendable () -> Void
    ) throws(SystemFailure) {
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        var everySignal = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&everySignal)
        // The new thread inherits the mask, so it never runs with another one.
        unsafe pthread_sigmask(SIG_SETMASK, &everySignal, &before)
        let code = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                unsafe cposix_name_this_thread(start.name)
                start.body()
                return nil
            },
            start.toOpaque()
        )
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            unsafe start.release()
            throw SystemFailure("pthread_create", errno: code)
        }
        self.thread = thread
    }

    /// Waits until the thread has ended. On that thread itself it doesn't wait.
    package consuming func join() {
        if pthread_equal(pthread_self(), thread) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    /// Lets the thread end without being joined. For threads that may block for long in a C function.
    package consuming func detach() { pthread_detach(thread) }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
