internal import Dispatch

/// Calls back on a queue after a while.
///
/// `@unchecked Sendable`: nothing here changes, and Dispatch's sources may be used on any thread.
struct LoadTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    init(queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: handler)
        source.activate()
    }

    /// Calls once after so long, in the place of what was scheduled before.
    func schedule(after time: Duration) {
        let (seconds, attoseconds) = time.components
        // No longer than what every clock can hold.
        let nanoseconds = min(seconds, 1_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
        source.schedule(deadline: .now() + .nanoseconds(Int(max(nanoseconds, 0))))
    }

    /// Doesn't call any more, and lets go of the handler.
    func cancel() {
        source.cancel()
    }
}
