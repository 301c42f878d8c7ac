internal import CurlURLSession
internal import Dispatch
public import Foundation

// `@unchecked Sendable`: its only stored property is a constant of a class that the compiler
// proves to be `Sendable`. An `open` class can't declare this without `@unchecked`; a subclass is
// responsible for the state that it adds.
/// Monitors whether this machine has a route to a target.
///
/// The target is the network as a whole, a host or an address. The status is unknown before
/// ``startMonitoring()``. Each reported status is delivered on the main queue, even if it is the
/// same as before. The manager first sets ``networkReachabilityStatus``, then calls the block, then
/// posts ``Foundation/NSNotification/Name/networkingReachabilityDidChange``. A program that never
/// drains its main queue receives no status.
///
/// A route doesn't mean that the host answers. Don't check reachability before a request; send the
/// request. If the kernel doesn't report changes, as in some sandboxes, the status stays unknown.
open class NetworkReachabilityManager: @unchecked Sendable {
    private static let sharedManager = NetworkReachabilityManager.manager()

    private let core: ReachabilityCore

    /// Creates a manager with a custom source.
    public init(reachability: any NetworkReachability) {
        core = ReachabilityCore(reachability)
    }

    deinit {
        core.release()
    }

    /// The shared manager. It isn't started by default.
    open class func shared() -> NetworkReachabilityManager { sharedManager }

    /// Creates a manager of the network.
    ///
    /// The network is reachable if there is a default route, over IPv4 or IPv6. A route to a single
    /// network, such as that of an idle bridge, isn't enough: use ``init(forDomain:)`` or
    /// ``init(forAddress:)`` for a server in such a network.
    open class func manager() -> NetworkReachabilityManager {
        NetworkReachabilityManager(reachability: RouteReachability())
    }

    /// Creates a manager of a host.
    ///
    /// The host is reachable if a route leads to one of its addresses. A host whose name can't be
    /// resolved isn't reachable.
    public convenience init(forDomain domain: String) {
        self.init(reachability: RouteReachability(host: .host(domain)))
    }

    /// Creates a manager of an IP address.
    ///
    /// The address is reachable if a route leads to it. Examples are `192.0.2.1` and `2001:db8::1`.
    /// Text that isn't an address isn't reachable.
    public convenience init(forAddress address: String) {
        self.init(reachability: RouteReachability(host: .address(address)))
    }

    // MARK: Status

    /// The last delivered status; `unknown` before the first one.
    public final var networkReachabilityStatus: NetworkReachabilityStatus { core.status }

    /// Whether the target is reachable.
    public final var isReachable: Bool { isReachableViaWWAN || isReachableViaWiFi }

    /// Whether the target is reachable over a cellular network.
    ///
    /// It is always `false` on Linux.
    public final var isReachableViaWWAN: Bool { networkReachabilityStatus == .reachableViaWWAN }

    /// Whether the target is reachable, over any network.
    public final var isReachableViaWiFi: Bool { networkReachabilityStatus == .reachableViaWiFi }

    /// A description of the status, in English.
    public final func localizedNetworkReachabilityStatusString() -> String {
        StringFromNetworkReachabilityStatus(networkReachabilityStatus)
    }

    // MARK: Monitoring

    /// Starts monitoring: reports the current status soon, and each change.
    ///
    /// Restarts monitoring if it is already started.
    open func startMonitoring() {
        core.start { [weak self, core] status, run in
            DispatchQueue.main.async {
                // Like AFNetworking, posts a status in flight even after the manager is
                // deallocated.
                let isNews = self == nil ? core.isCurrent(run) : core.take(status, of: run)
                guard isNews else { return }
                NotificationCenter.default.post(
                    name: .networkingReachabilityDidChange,
                    object: self,
                    userInfo: [
                        NetworkingReachabilityNotificationStatusItem: NSNumber(
                            value: status.rawValue
                        )
                    ]
                )
            }
        }
    }

    /// Stops monitoring. The status stays unchanged.
    open func stopMonitoring() {
        core.stop()
    }

    /// Sets the block that is called with each status.
    ///
    /// It is called on the main queue. It replaces the previous block.
    ///
    /// - Parameter block: The block; `nil` for none.
    open func setReachabilityStatusChange(
        _ block: (@Sendable (NetworkReachabilityStatus) -> Void)?
    ) {
        core.onChange = block
    }
}

extension Notification.Name {
    /// A ``NetworkReachabilityManager`` reported a status, possibly the same as before.
    ///
    /// Posted on the main queue. The object is the manager, or `nil` if it was deallocated. The
    /// status is in `userInfo` under ``NetworkingReachabilityNotificationStatusItem``.
    public static let networkingReachabilityDidChange = Notification.Name(
        "com.alamofire.networking.reachability.change"
    )
}

/// The key in a notification's `userInfo` of the status as an `NSNumber`.
///
/// The number is the raw value of a ``NetworkReachabilityStatus``.
public let NetworkingReachabilityNotificationStatusItem: String =
    "AFNetworkingReachabilityNotificationStatusItem"
