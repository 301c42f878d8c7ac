import Curl
import Synchronization

/// Shares a number of bytes a second among all bodies: whose bytes came too early is paused until
/// their time has come.
final class Bandwidth: Sendable {
    /// Nobody is paused for less.
    private static let shortest = Duration.milliseconds(5)

    /// Whose bytes came too early.
    private struct Pause: Sendable {
        let number: Int
        let flow: any FlowControl
    }

    private struct State {
        /// When all bytes so far would have come if they came exactly in time.
        var due = MonotonicTime(nanoseconds: .min)
        var paused = TimedHeap<Pause>()
        /// The pauses of bodies of which more is to come, and how many there have been.
        var open: Set<Int> = []
        var count = 0
        /// When the bytes would have come that nobody could be paused for.
        var unpaidDue = MonotonicTime(nanoseconds: .min)
        var isEnding = false
    }

    private let secondsPerByte: Double
    private let state = Mutex(State())
    private let bell: Wakeup
    private let thread = Mutex<LoopThread?>(nil)

    /// Starts its thread, which runs until ``end()``.
    init(bytesPerSecond: Int64) throws(SystemFailure) {
        secondsPerByte = 1 / Double(max(1, bytesPerSecond))
        bell = try Wakeup()
        try thread.withLock { thread throws(SystemFailure) in
            thread = try LoopThread(name: "batch-bandwidth") { [self] in run() }
        }
    }

    /// So many bytes have come. If the flow is to be paused the pause's number; it is resumed from here.
    func take(_ count: Int, of flow: any FlowControl, at now: MonotonicTime = .now) -> Int? {
        let time = Duration.seconds(Double(count) * secondsPerByte)
        let (pause, isNext): (Int?, Bool) = state.withLock { state in
            state.due = max(state.due, now).advanced(by: time)
            guard !state.isEnding, state.due > now.advanced(by: Self.shortest)
            else { return (nil, false) }
            let isNext = state.paused.nextTime.map { state.due < $0 } ?? true
            state.count += 1
            state.open.insert(state.count)
            state.paused.insert(Pause(number: state.count, flow: flow), at: state.due)
            return (state.count, isNext)
        }
        if isNext { bell.signal() }
        return pause
    }

    /// A body has ended with so many bytes, of which nobody could be made to wait: small ones come whole. The
    /// next start is put off for them, and for as long again where other bodies want their share.
    ///
    /// - Parameter pause: The last one of the body, which was of no use.
    func ended(with count: Int, pause: Int? = nil, at now: MonotonicTime = .now) {
        let time = Duration.seconds(Double(count) * secondsPerByte)
        state.withLock { state in
            if let pause { state.open.remove(pause) }
            let share = state.open.isEmpty ? 1 : 2
            state.unpaidDue = max(state.unpaidDue, now).advanced(by: time * share)
        }
    }

    /// Until when nothing should be started; `nil` if something may be.
    var behindUntil: MonotonicTime? {
        let due = state.withLock { $0.unpaidDue }
        return due > MonotonicTime.now.advanced(by: Self.shortest) ? due : nil
    }

    /// Lets all flow, and waits for the thread's end.
    func end() {
        state.withLock { $0.isEnding = true }
        bell.signal()
        thread.withLock { $0.take() }?.join()
    }

    private func run() {
        while true {
            let now = MonotonicTime.now
            let (flows, next, isEnding) = state.withLock { state in
                var flows: [any FlowControl] = []
                let end = state.isEnding ? MonotonicTime.distantFuture : now
                while let pause = state.paused.popDue(at: end) {
                    state.open.remove(pause.number)
                    flows.append(pause.flow)
                }
                return (flows, state.paused.nextTime, state.isEnding)
            }
            for flow in flows { flow.resumeReceiving() }
            if isEnding { return }
            bell.wait(until: next)
        }
    }
}
