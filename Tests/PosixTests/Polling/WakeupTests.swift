import Glibc
import TestSupport
import Testing

@testable import Posix

/// Waking a waiting thread from another one.
@Suite(.timeLimit(.minutes(10))) struct WakeupTests {
    /// Whether the descriptor is readable now.
    private func isSignalled(_ descriptor: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) == 1
    }

    @Test("Several signals are one wakeup, and clearing it once is enough")
    func severalSignalsAreOneWakeup() throws {
        let wakeup = try Wakeup()
        #expect(!isSignalled(wakeup.descriptor))
        for _ in 0..<1000 { wakeup.signal() }
        #expect(isSignalled(wakeup.descriptor))
        wakeup.clear()
        #expect(!isSignalled(wakeup.descriptor))
        // Without a signal, there is nothing to clear, and clearing doesn't wait.
        wakeup.clear()
        wakeup.signal()
        #expect(isSignalled(wakeup.descriptor))
    }

    @Test("A wakeup whose counter is full stays readable")
    func fullCounterStaysReadable() throws {
        let wakeup = try Wakeup()
        // The highest count, in the machine's byte order.
        let counter = FileDescriptor(number: wakeup.descriptor, path: "eventfd", isOwned: false)
        try counter.write(withUnsafeBytes(of: UInt64.max - 1) { Array($0) })
        wakeup.signal()
        #expect(isSignalled(wakeup.descriptor))
        wakeup.clear()
        #expect(!isSignalled(wakeup.descriptor))
    }

    @Test("A wait ends at a signal, which it clears, or after its deadline")
    func waitEndsBySignalOrDeadline() throws {
        let wakeup = try Wakeup()
        wakeup.signal()
        wakeup.wait(until: nil)
        #expect(!isSignalled(wakeup.descriptor))
        wakeup.signal()
        Wakeup.wait(on: wakeup.descriptor)
        #expect(!isSignalled(wakeup.descriptor))
        // Long past, and at the edge of the range.
        wakeup.wait(until: .now)
        wakeup.wait(until: MonotonicTime(nanoseconds: .min / 2))
        for microseconds in [1, 500, 1500] {
            let deadline = MonotonicTime.now.advanced(by: .microseconds(microseconds))
            wakeup.wait(until: deadline)
            #expect(MonotonicTime.now >= deadline)
        }
    }

    @Test("A signal of another thread ends a wait without a deadline")
    func signalOfAnotherThreadEndsTheWait() async throws {
        let wakeups = try (request: SharedWakeup(), answer: SharedWakeup())
        let answers = try await NativeThread.run {
            let other = try NativeThread(name: "answers") {
                for _ in 0..<200 {
                    Wakeup.wait(on: wakeups.request.wakeup.descriptor)
                    wakeups.answer.wakeup.signal()
                }
            }
            var answers = 0
            for _ in 0..<200 {
                wakeups.request.wakeup.signal()
                wakeups.answer.wakeup.wait(until: nil)
                answers += 1
            }
            other.join()
            return answers
        }
        #expect(answers == 200)
    }

    /// A wakeup for several closures.
    private final class SharedWakeup: Sendable {
        let wakeup: Wakeup

        init() throws { wakeup = try Wakeup() }
    }

    @Test("A wait for a file or a signal returns the signal first and doesn't clear it")
    func signalIsPreferredToTheFile() throws {
        let wakeup = try Wakeup()
        let pair = try DescriptorPair(isBlocking: true)
        let reader = pair.reader
        try pair.writer.write([1])
        var isReadable = wakeup.wait(orReadable: reader)
        #expect(isReadable)
        wakeup.signal()
        for _ in 0..<2 {
            isReadable = wakeup.wait(orReadable: reader)
            #expect(!isReadable)
        }
        wakeup.clear()
        isReadable = wakeup.wait(orReadable: reader)
        #expect(isReadable)
    }

    @Test("A file is readable at its end")
    func endOfAFileIsReadable() throws {
        let wakeup = try Wakeup()
        let pair = try DescriptorPair(isBlocking: true)
        SocketEnd.finishSending(on: pair.second)
        let reader = pair.reader
        var isReadable = wakeup.wait(orReadable: reader)
        #expect(isReadable)
        let null = try FileDescriptor.openForReading("/dev/null")
        isReadable = wakeup.wait(orReadable: null)
        #expect(isReadable)
    }

    @Test("Child processes don't inherit a wakeup, and its calls don't block")
    func descriptorIsPrivateAndNonblocking() throws {
        let wakeup = try Wakeup()
        #expect(fcntl(wakeup.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(wakeup.descriptor, F_GETFL) & O_NONBLOCK != 0)
    }

    /// Waits for the first wakeup, and for the second one as the socket.
    private func wait(
        _ wakeup: borrowing Wakeup,
        _ socket: borrowing Wakeup,
        for interest: SocketInterest,
        until deadline: MonotonicTime? = nil
    ) -> SocketInterest {
        Wakeup.wait(
            on: wakeup.descriptor,
            orSocket: socket.descriptor,
            for: interest,
            until: deadline
        )
    }

    @Test("A wait for a socket ends when it is ready, at a signal, or after its deadline")
    func waitEndsBySocketSignalOrDeadline() throws {
        let wakeup = try Wakeup()
        // An eventfd stands for the socket: writable at once, readable after a signal.
        let socket = try Wakeup()
        let atOnce = wait(wakeup, socket, for: [.read, .write])
        #expect(atOnce == .write)
        let late = wait(wakeup, socket, for: .read, until: .now)
        #expect(late == [])
        wakeup.signal()
        let signalled = wait(wakeup, socket, for: .read)
        #expect(signalled == [])
        #expect(!isSignalled(wakeup.descriptor))
        socket.signal()
        let readable = wait(wakeup, socket, for: .read)
        #expect(readable == .read)
        wakeup.signal()
        let none = Wakeup.wait(
            on: wakeup.descriptor,
            orSocket: -1,
            for: [.read, .write],
            until: nil
        )
        #expect(none == [])
    }
}
