/// Determines whether something can be reached, and reports changes.
///
/// It is the source of a ``NetworkReachabilityManager``.
public protocol NetworkReachability: Sendable {
    /// Starts to report the current status soon, and each later change.
    ///
    /// - Parameter onStatus: Called on any thread, one call after the other. ``stop()`` releases
    ///   it.
    func start(_ onStatus: @escaping @Sendable (NetworkReachabilityStatus) -> Void)

    /// Stops reporting. It has no effect if monitoring wasn't started.
    func stop()
}

/// Whether the network can be reached.
public enum NetworkReachabilityStatus: Int, Sendable, Hashable, Codable {
    /// The status isn't known yet, or can't be determined.
    case unknown = -1
    /// There is no route.
    case notReachable = 0
    /// Reachable over a cellular network. Never reported on Linux.
    case reachableViaWWAN = 1
    /// There is a route, over any network.
    case reachableViaWiFi = 2

    /// There is a route: what ``reachableViaWiFi`` means on Linux.
    public static var reachable: NetworkReachabilityStatus { .reachableViaWiFi }

    /// Whether there is a route.
    public var isReachable: Bool { self == .reachableViaWWAN || self == .reachableViaWiFi }

    /// A description of the status, in English.
    public var localizedDescription: String {
        switch self {
        case .unknown: "Unknown"
        case .notReachable: "Not Reachable"
        case .reachableViaWWAN: "Reachable via WWAN"
        case .reachableViaWiFi: "Reachable via WiFi"
        }
    }
}

/// Returns a description of a status, in English.
public func StringFromNetworkReachabilityStatus(_ status: NetworkReachabilityStatus) -> String {
    status.localizedDescription
}
