internal import CPosix
internal import Glibc

/// Waits for signals on its own thread and reports them as ordinary calls.
///
/// For programs, not for libraries: signals belong to the process. The signals are blocked on the
/// calling thread. So create it before starting any other thread that must not be interrupted:
/// threads inherit the signal mask of the thread that creates them.
package struct SignalThread: ~Copyable, Sendable {
    /// The signals that request a program to end: `SIGINT` and `SIGTERM`.
    package static let ending = [SIGINT, SIGTERM]

    /// The terminal was closed, or log files must be reopened: `SIGHUP`.
    package static let hangUp = SIGHUP

    /// Free for the program's use: `SIGUSR1`.
    package static let userDefined = SIGUSR1

    private let thread: JoinedThread
    private let ending: Ending

    /// Calls `handler` with the signal's number each time one of `signals` arrives.
    ///
    /// Signals that are ignored stay so: `nohup` and shells start programs like that, and the user
    /// expects that these signals don't reach them.
    package init(
        signals: [Int32],
        handler: @escaping @Sendable (Int32) -> Void
    ) throws(SystemFailure) {
        let ending = try Ending(Self.open(signals))
        thread = try JoinedThread(name: "signals") { ending.run(handler) }
        self.ending = ending
    }

    private static func open(_ signals: [Int32]) throws(SystemFailure) -> FileDescriptor {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        var ignored = sigset_t()
        unsafe sigemptyset(&ignored)
        for signal in signals where cposix_is_signal_ignored(signal) != 0 {
            unsafe sigaddset(&ignored, signal)
            unsafe sigdelset(&set, signal)
        }
        unsafe pthread_sigmask(SIG_UNBLOCK, &ignored, nil)
        let descriptor = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemFailure("signalfd", errno: errno) }
        return FileDescriptor(number: descriptor, path: "signals")
    }

    /// Ends the thread; the signals stay blocked.
    package consuming func stop() {
        ending.wakeup.signal()
        thread.join()
    }

    private final class Ending: Sendable {
        let wakeup: Wakeup
        let file: FileDescriptor

        init(_ file: consuming FileDescriptor) throws(SystemFailure) {
            wakeup = try Wakeup()
            self.file = file
        }

        func run(_ handler: (Int32) -> Void) {
            let size = MemoryLayout<signalfd_siginfo>.size
            while wakeup.wait(orReadable: file) {
                var bytes: [UInt8] = []
                guard let count = try? file.read(appendingTo: &bytes, upTo: size), count == size
                else { return }
                // ssi_signo is the first field, 32 bits.
                let number = bytes[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                handler(Int32(truncatingIfNeeded: number))
            }
        }
    }
}
