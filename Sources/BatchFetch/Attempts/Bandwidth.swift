import Posix
import Synchronization

/// Limits the bytes per second of all bodies together.
///
/// It pauses a body whose bytes arrive too early until they are due.
final class Bandwidth: Sendable {
    /// The shortest pause.
    private static let shortest = Duration.milliseconds(5)

    /// A paused body.
    private struct Pause: Sendable {
        let number: Int
        let flow: any FlowControl
    }

    private struct State {
        /// When all bytes so far would have arrived at exactly the limit.
        var due = MonotonicTime(nanoseconds: .min)
        var paused = TimedHeap<Pause>()
        /// The numbers of pauses of unfinished bodies; below, all pauses.
        var open: Set<Int> = []
        var count = 0
        /// When the bytes without a pause would have arrived at the limit.
        var unpaidDue = MonotonicTime(nanoseconds: .min)
        var isEnding = false
    }

    private let secondsPerByte: Double
    private let state = Mutex(State())
    private let worker: Worker

    /// Starts the thread, which runs until ``end()``.
    init(bytesPerSecond: Int64) throws(SystemFailure) {
        secondsPerByte = 1 / Double(max(1, bytesPerSecond))
        worker = try Worker(name: "batch-bandwidth")
        try worker.startRepeating { [self] in resumeDue() }
    }

    /// Counts received bytes.
    ///
    /// - Returns: The number of the pause if the caller must pause the flow, which this object then
    ///   resumes; otherwise `nil`.
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
        if isNext { worker.wake() }
        return pause
    }

    /// Counts the last bytes of a body that has ended: it can't be paused any more.
    ///
    /// Small bodies arrive in one piece, for example. The next start is delayed by the time for
    /// these bytes, and by twice that time if other bodies are paused.
    ///
    /// - Parameter pause: The body's last pause, which had no effect.
    func ended(with count: Int, pause: Int? = nil, at now: MonotonicTime = .now) {
        let time = Duration.seconds(Double(count) * secondsPerByte)
        state.withLock { state in
            if let pause { state.open.remove(pause) }
            let share = state.open.isEmpty ? 1 : 2
            state.unpaidDue = max(state.unpaidDue, now).advanced(by: time * share)
        }
    }

    /// The time before which no attempt should start; `nil` if one may.
    var behindUntil: MonotonicTime? {
        let due = state.withLock { $0.unpaidDue }
        return due > MonotonicTime.now.advanced(by: Self.shortest) ? due : nil
    }

    /// Resumes all bodies, and waits for the thread's end.
    func end() {
        // From then on no body is paused, so the last turn resumes all.
        state.withLock { $0.isEnding = true }
        worker.end()
    }

    /// Resumes the bodies whose pause is over, on the thread; returns when the next one ends.
    private func resumeDue() -> MonotonicTime? {
        let now = MonotonicTime.now
        let (flows, next) = state.withLock { state in
            var flows: [any FlowControl] = []
            let end = state.isEnding ? MonotonicTime.distantFuture : now
            while let pause = state.paused.popDue(at: end) {
                state.open.remove(pause.number)
                flows.append(pause.flow)
            }
            return (flows, state.paused.nextTime)
        }
        for flow in flows { flow.resumeReceiving() }
        return next
    }
}
