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
}
