internal import CurlURLSession
internal import Dispatch

/// Those who are told of everything, each on its queue.
struct EventMonitors: Sendable {
    let all: [any EventMonitor]

    func tell(_ event: @escaping @Sendable (any EventMonitor) -> Void) {
        for monitor in all {
            monitor.queue.async { event(monitor) }
        }
    }

    /// Tells of a piece of a body those who want it; for all others, none is kept.
    func tellData(_ event: @escaping @Sendable (any EventMonitor) -> Void) {
        EventMonitors(all: all.filter(\.wantsData)).tell(event)
    }
}
