import Curl
import Posix
import TestSupport
import Testing

/// A multi handle with a reactor, driven by the thread of a test.
struct TestLoop: ~Copyable {
    /// No transfer on the loopback interface takes this long.
    private static let limit = Duration.seconds(120)

    let events: LoopEvents
    let multi: MultiHandle

    init() throws {
        let events = try LoopEvents()
        let multi = try MultiHandle(callbacks: events)
        self.events = events
        self.multi = multi
    }

    /// Creates a handle for a transfer of `url`, and assigns `transfer` to it.
    borrowing func makeHandle(
        _ url: String,
        _ transfer: RecordedTransfer,
        token: UInt64 = 1
    ) throws -> EasyHandle {
        let easy = try EasyHandle(for: multi)
        easy.attach(transfer, token: token)
        try easy.set(.noSignal, true)
        try easy.set(.url, url)
        return easy
    }

    /// Waits for events, and processes them.
    borrowing func turn(until end: MonotonicTime) {
        let deadline = events.deadline.map { min($0, end) } ?? end
        for (descriptor, ready) in events.wait(until: deadline) {
            #expect(multi.work(on: descriptor, ready: ready) == .ok)
        }
        if let due = events.deadline, due <= .now {
            events.deadline = nil
            #expect(multi.timeout() == .ok)
        }
    }

    /// Processes events until `condition` holds.
    borrowing func turns(until condition: () -> Bool) throws {
        let end = MonotonicTime.now.advanced(by: Self.limit)
        while !condition() {
            try #require(.now < end, "the transfer takes too long")
            turn(until: end)
        }
    }

    /// Runs the transfer of a handle to its end, and removes it. Returns its result.
    borrowing func run(_ easy: borrowing EasyHandle) throws -> CurlCode {
        #expect(multi.add(easy) == .ok)
        return try finish(easy)
    }

    /// Runs an added transfer to its end, and removes it.
    borrowing func finish(_ easy: borrowing EasyHandle) throws -> CurlCode {
        var result = multi.nextResult()
        let end = MonotonicTime.now.advanced(by: Self.limit)
        while result == nil {
            try #require(.now < end, "the transfer takes too long")
            turn(until: end)
            result = multi.nextResult()
        }
        #expect(multi.remove(easy) == .ok)
        return try #require(result?.code)
    }
}

/// The sockets and the timer of a loop, as libcurl requests them.
final class LoopEvents: MultiCallbacks {
    private let wakeup: Wakeup
    private var reactor: Reactor
    var deadline: MonotonicTime?
    private(set) var closed: [Int32] = []

    init() throws {
        wakeup = try Wakeup()
        reactor = try Reactor(wakeup: wakeup.descriptor)
    }

    func opened(_ descriptor: Int32) { reactor.socketOpened(descriptor) }

    func wait(until deadline: MonotonicTime) -> [(descriptor: Int32, ready: SocketInterest)] {
        let count = reactor.wait(until: deadline)
        return (0..<count).compactMap { reactor.event(at: $0) }
    }

    // MARK: MultiCallbacks

    func watch(_ descriptor: Int32, for interest: SocketInterest?, by multi: Int) {
        reactor.watch(descriptor, for: interest)
    }

    func setTimer(milliseconds: Int?, of multi: Int) {
        deadline = milliseconds.map { MonotonicTime.now.advanced(by: .milliseconds($0)) }
    }

    func closeSocket(_ descriptor: Int32) {
        closed.append(descriptor)
        reactor.closeSocket(descriptor)
    }
}
