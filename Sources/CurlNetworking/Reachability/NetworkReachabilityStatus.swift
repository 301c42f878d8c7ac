/// Whether the network can be reached.
public enum NetworkReachabilityStatus: Int, Sendable, Hashable, Codable {
    /// Nothing is known yet, or nothing can be found out.
    case unknown = -1
    /// There is no route.
    case notReachable = 0
    /// By a mobile phone's network. Linux doesn't tell, and this is never the case.
    case reachableViaWWAN = 1
    /// There is a route, by whatever network.
    case reachableViaWiFi = 2

    /// There is a route: what ``reachableViaWiFi`` means on Linux.
    public static var reachable: NetworkReachabilityStatus { .reachableViaWiFi }

    /// Whether there is a route.
    public var isReachable: Bool { self == .reachableViaWWAN || self == .reachableViaWiFi }

    /// The status in words, in English.
    public var localizedDescription: String {
        switch self {
        case .unknown: "Unknown"
        case .notReachable: "Not Reachable"
        case .reachableViaWWAN: "Reachable via WWAN"
        case .reachableViaWiFi: "Reachable via WiFi"
        }
    }
}

/// A status in words, in English.
public func StringFromNetworkReachabilityStatus(_ status: NetworkReachabilityStatus) -> String {
    status.localizedDescription
}
