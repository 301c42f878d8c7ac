import Posix
import Synchronization

/// Cancels transfers whose bodies are slower than the minimum speed.
///
/// libcurl has such a limit, too (`CURLOPT_LOW_SPEED_LIMIT`). It isn't used because it counts the
/// time in which this program pauses a transfer, and because libcurl 8.4 and later, to measure a
/// paused transfer, continue to read from its connection into memory.
final class SpeedWatch: Sendable {
    private let minimum: MinimumSpeed
    private let interval: Duration
    private let bodies = Mutex<[ObjectIdentifier: MeasuredBody]>([:])
    private let worker: Worker

    /// Starts the thread, which runs until ``end()``.
    init(_ minimum: MinimumSpeed) throws(SystemFailure) {
        self.minimum = minimum
        interval = max(.milliseconds(10), min(.seconds(1), minimum.window / 4))
        worker = try Worker(name: "batch-speed")
        try worker.startRepeating { [self] in checkAll() }
    }

    /// Begins to measure a body. Call ``remove(_:)`` at its end.
    func add(_ flow: any CancellableFlow, at now: MonotonicTime = .now) -> MeasuredBody {
        let body = MeasuredBody(SpeedMeter(minimum, at: now), flow)
        let isFirst = bodies.withLock { bodies in
            bodies[ObjectIdentifier(body)] = body
            return bodies.count == 1
        }
        if isFirst { worker.wake() }
        return body
    }

    func remove(_ body: MeasuredBody) {
        bodies.withLock { $0[ObjectIdentifier(body)] = nil }
    }

    /// Ends the thread, and waits for that.
    func end() { worker.end() }

    /// Checks all bodies, on the thread; returns when to check them again.
    private func checkAll() -> MonotonicTime? {
        let bodies = bodies.withLock { Array($0.values) }
        let now = MonotonicTime.now
        for body in bodies { body.check(at: now) }
        return bodies.isEmpty ? nil : now.advanced(by: interval)
    }
}

/// A transfer that can be resumed and cancelled. May be used on any thread.
protocol CancellableFlow: FlowControl {
    func cancel()
}

/// The body of a transfer, whose speed is measured.
///
/// Those who pause the body resume it through this object, which leaves out the time between.
final class MeasuredBody: FlowControl {
    private struct State {
        var meter: SpeedMeter
        var failure: BatchFailure?
    }

    private let state: Mutex<State>
    private let flow: any CancellableFlow

    init(_ meter: SpeedMeter, _ flow: any CancellableFlow) {
        state = Mutex(State(meter: meter))
        self.flow = flow
    }

    /// Why the body was cancelled; `nil` if it wasn't too slow.
    var failure: BatchFailure? { state.withLock { $0.failure } }

    /// Counts received bytes, and pauses the measurement until ``proceed(at:)`` or
    /// ``resumeReceiving()``.
    ///
    /// Called before the bytes are handled: a sink may pause the body and resume it at once, on
    /// another thread.
    func receive(_ count: Int, at now: MonotonicTime = .now) {
        state.withLock { state in
            state.meter.add(count)
            state.meter.pause(at: now)
        }
    }

    /// Continues the measurement of a body that wasn't paused.
    func proceed(at now: MonotonicTime = .now) {
        state.withLock { $0.meter.resume(at: now) }
    }

    func resumeReceiving() {
        proceed()
        flow.resumeReceiving()
    }

    /// Cancels the transfer if it is too slow.
    func check(at now: MonotonicTime) {
        let isTooSlow = state.withLock { state in
            guard state.failure == nil, let failure = state.meter.check(at: now) else {
                return false
            }
            state.failure = failure
            return true
        }
        if isTooSlow { flow.cancel() }
    }
}
