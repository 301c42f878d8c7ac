public import Dispatch

/// The monitors of a manager, each called on its own queue.
struct EventMonitors: Sendable {
    let all: [any EventMonitor]

    /// Whether at least one of the monitors wants data.
    var wantsData: Bool { all.contains(where: \.wantsData) }

    /// Sends an event to each monitor. Body data is sent only to those that want it, and isn't
    /// retained for others.
    func notify(_ event: SessionEvent) {
        let recipients = if case .didReceiveData = event { all.filter(\.wantsData) } else { all }
        for monitor in recipients {
            monitor.queue.async { monitor.receive(event) }
        }
    }
}

/// Forwards each event to several monitors, each on its own queue.
///
/// It receives events through ``receive(_:)`` alone: calling another of its methods does nothing.
public struct CompositeEventMonitor: EventMonitor {
    /// The monitors that receive the events.
    public let monitors: [any EventMonitor]

    /// The queue on which this monitor receives events; it only dispatches them.
    public let queue = DispatchQueue(label: "curl-networking-composite-events", qos: .utility)

    /// Whether at least one of the monitors wants data.
    public var wantsData: Bool { EventMonitors(all: monitors).wantsData }

    /// Creates a monitor that forwards to others.
    public init(monitors: [any EventMonitor]) {
        self.monitors = monitors
    }

    /// Forwards the event to each monitor; data only to those that want it.
    public func receive(_ event: SessionEvent) {
        EventMonitors(all: monitors).notify(event)
    }
}

extension URLSessionManager {
    /// The monitors of this manager's events; empty by default.
    ///
    /// Each is called on its own queue. Without monitors, the manager creates no events for them.
    public var eventMonitors: [any EventMonitor] {
        get { core.read(\.monitors) }
        set { core.setMonitors(newValue) }
    }
}
