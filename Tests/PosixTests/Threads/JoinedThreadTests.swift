import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Posix

/// Threads that their owners join.
@Suite(.timeLimit(.minutes(10))) struct JoinedThreadTests {
    @Test("A joined thread has completed its work")
    func joinedThreadHasCompleted() throws {
        let count = Mutex(0)
        for round in 1...50 {
            let thread = try JoinedThread(name: "work") { count.withLock { $0 += 1 } }
            thread.join()
            #expect(count.withLock { $0 } == round)
        }
    }

    /// The signals are the program's: a host's handler must not run on this thread.
    @Test("A thread blocks every signal, and its creator's mask is unchanged")
    func threadBlocksEverySignal() throws {
        @Sendable func blocked(_ signals: ClosedRange<Int32>) -> [Int32] {
            var mask = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &mask)
            return signals.filter { sigismember(&mask, $0) == 1 }
        }
        // SIGKILL and SIGSTOP can't be blocked.
        let all = (1...31 as ClosedRange<Int32>).filter { $0 != SIGKILL && $0 != SIGSTOP }
        let before = blocked(1...31)
        let found = Mutex<[Int32]>([])
        let thread = try JoinedThread(name: "mask") {
            let signals = blocked(1...31)
            found.withLock { $0 = signals }
        }
        thread.join()
        #expect(found.withLock { $0 } == all)
        #expect(blocked(1...31) == before)
    }

    @Test("A thread has the first 15 bytes of its name")
    func threadHasTheBeginningOfItsName() throws {
        let name = "loop-\(UInt16.random(in: 10_000...65_000))"
        let gate = Gate()
        let thread = try JoinedThread(name: name + " of a long name") { gate.waitBlocking() }
        defer { gate.open() }
        let names = Mutex<[String]>([])
        let reader = try JoinedThread(name: name + "67890x") {
            var text: [UInt8] = []
            guard let file = try? FileDescriptor.openForReading("/proc/thread-self/comm") else {
                return
            }
            _ = try? file.read(appendingTo: &text, upTo: 100)
            let comm = String(decoding: text, as: UTF8.self)
            names.withLock { $0.append(comm) }
        }
        reader.join()
        #expect(names.withLock { $0 } == [name + "67890\n"])
        gate.open()
        thread.join()
    }

    @Test("Objects that a thread's closure retains are released after its end")
    func endedThreadReleasesItsWork() throws {
        final class Held: Sendable {}
        weak var observed: Held?
        do {
            let held = Held()
            observed = held
            let thread = try JoinedThread(name: "holder") { extendLifetime(held) }
            thread.join()
        }
        #expect(observed == nil)
    }

    @Test("A thread that waits for signals ends when it is stopped")
    func signalThreadEndsWhenStopped() async throws {
        // On a thread of its own, whose signals are blocked from then on.
        try await NativeThread.run {
            for _ in 0..<20 {
                let thread = try SignalThread(signals: [SIGUSR2]) { _ in
                    Issue.record("a signal arrived")
                }
                thread.stop()
            }
        }
    }

    @Test("A variable of the environment is read, and a missing one is nil")
    func environmentIsRead() {
        #expect(ProcessEnvironment.value(of: "PATH")?.isEmpty == false)
        #expect(ProcessEnvironment.value(of: "CURL_NETWORKING_NO_SUCH_VARIABLE") == nil)
        #expect(ProcessEnvironment.value(of: "") == nil)
    }
}
