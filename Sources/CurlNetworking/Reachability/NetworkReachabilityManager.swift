internal import CurlURLSession
internal import Dispatch
internal import Foundation

/// Tells whether the network, a host or an address can be reached, as far as this machine's routes say.
///
/// Nothing is known before ``startMonitoring()``. Every status that comes then, be it the same as
/// before, is delivered on the main queue: first it is this manager's ``networkReachabilityStatus``, then
/// the block is called, then ``Foundation/NSNotification/Name/networkingReachabilityDidChange`` is posted.
/// A program that never drains its main queue gets none.
///
/// That there is a route doesn't mean that anybody answers. Don't ask this before a request: make the
/// request. Where the kernel refuses to tell of changes, as in some sandboxes, the status stays unknown.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a class that the compiler proves
/// to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever does answers
/// for what he adds.
open class NetworkReachabilityManager: @unchecked Sendable {
    private static let sharedManager = NetworkReachabilityManager.manager()

    private let core: ReachabilityCore

    /// Creates a manager of a source of one's own.
    public init(reachability: any NetworkReachability) {
        core = ReachabilityCore(reachability)
    }

    deinit {
        core.letGo()
    }

    /// The manager that all share. Nobody has started it.
    open class func shared() -> NetworkReachabilityManager { sharedManager }

    /// A manager of the network as a whole: whether a route leads beyond this machine, by IPv4 or IPv6.
    open class func manager() -> NetworkReachabilityManager {
        NetworkReachabilityManager(reachability: RouteReachability())
    }

    /// Creates a manager of a host: whether a route leads to one of its addresses. A name that can't be
    /// looked up isn't reachable.
    public convenience init(forDomain domain: String) {
        self.init(reachability: RouteReachability(host: .host(domain)))
    }

    /// Creates a manager of an IP address, such as `192.0.2.1` or `2001:db8::1`: whether a route leads
    /// to it. What is no address isn't reachable.
    public convenience init(forAddress address: String) {
        self.init(reachability: RouteReachability(host: .address(address)))
    }

    // MARK: Status

    /// The status that was delivered last; `unknown` before the first.
    public final var networkReachabilityStatus: NetworkReachabilityStatus { core.status }

    /// Whether it can be reached.
    public final var isReachable: Bool { isReachableViaWWAN || isReachableViaWiFi }

    /// Whether it can be reached by a mobile phone's network, which Linux never tells.
    public final var isReachableViaWWAN: Bool { networkReachabilityStatus == .reachableViaWWAN }

    /// Whether it can be reached, by whatever network.
    public final var isReachableViaWiFi: Bool { networkReachabilityStatus == .reachableViaWiFi }

    /// The status in words, in English.
    public final func localizedNetworkReachabilityStatusString() -> String {
        StringFromNetworkReachabilityStatus(networkReachabilityStatus)
    }

    // MARK: Monitoring

    /// Begins to tell: the status of now, soon, and the one after each change. Begins anew where it has
    /// begun before.
    open func startMonitoring() {
        core.start { [weak self, core] status, run in
            DispatchQueue.main.async {
                // AFNetworking posts what was under way when a manager went away, too.
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

    /// Tells nothing more. The status stays what it was.
    open func stopMonitoring() {
        core.stop()
    }

    /// Sets what is called on the main queue with each status, in the place of what was set before.
    ///
    /// - Parameter block: `nil` for nothing.
    open func setReachabilityStatusChange(
        _ block: (@Sendable (NetworkReachabilityStatus) -> Void)?
    ) {
        core.onChange = block
    }
}
