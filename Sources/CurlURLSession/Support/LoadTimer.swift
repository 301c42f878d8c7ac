internal import Dispatch

// `@unchecked Sendable`: the one stored property is constant, and Dispatch sources may be used on
// any thread.
/// A timer that calls a handler on a queue.
struct LoadTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    init(queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: handler)
        source.activate()
    }

    /// Schedules one call, and replaces an earlier schedule.
    func schedule(after time: Duration) {
        let (seconds, attoseconds) = time.components
        // Limited to a time that every clock can represent.
        let nanoseconds = min(seconds, 1_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
        source.schedule(deadline: .now() + .nanoseconds(Int(max(nanoseconds, 0))))
    }

    /// Stops the timer and releases the handler.
    func cancel() {
        source.cancel()
    }
}
