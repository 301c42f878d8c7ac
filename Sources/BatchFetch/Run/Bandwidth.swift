import Curl
import Synchronization

/// Shares a number of bytes a second among all bodies: whose bytes came too early is paused until
/// their time has come.
final class Bandwidth: Sendable {
    /// Nobody is paused for less.
    private static let shortest = Duration.milliseconds(5)

    private struct State {
        /// When all bytes so far would have come if they came exactly in time.
        var due = MonotonicTime(nanoseconds: .min)
        var paused = TimedHeap<any FlowControl>()
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

    /// So many bytes have come. Whether the flow is to be paused; it is resumed from here.
    func take(_ count: Int, of flow: any FlowControl, at now: MonotonicTime = .now) -> Bool {
        let time = Duration.seconds(Double(count) * secondsPerByte)
        let (isPaused, isNext) = state.withLock { state in
            state.due = max(state.due, now).advanced(by: time)
            guard !state.isEnding, state.due > now.advanced(by: Self.shortest)
            else { return (false, false) }
            let isNext = state.paused.nextTime.map { state.due < $0 } ?? true
            state.paused.insert(flow, at: state.due)
            return (true, isNext)
        }
        if isNext { bell.signal() }
        return isPaused
    }

    /// A body has ended with so many bytes, of which nobody could be made to wait: small ones come whole. The
    /// next start is put off for them, and for as long again where other bodies want their share.
    func ended(with count: Int, at now: MonotonicTime = .now) {
        let time = Duration.seconds(Double(count) * secondsPerByte)
        state.withLock { state in
            let share = state.paused.nextTime == nil ? 1 : 2
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
                while let flow = state.paused.popDue(at: end) { flows.append(flow) }
                return (flows, state.paused.nextTime, state.isEnding)
            }
            for flow in flows { flow.resumeReceiving() }
            if isEnding { return }
            bell.wait(until: next)
        }
    }
}
