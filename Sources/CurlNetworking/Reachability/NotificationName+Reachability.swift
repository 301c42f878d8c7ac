public import Foundation

extension Notification.Name {
    /// A ``NetworkReachabilityManager`` has a status, perhaps the same as before. Posted on the main
    /// queue; the object is the manager, or `nil` if it is gone, and the status is in `userInfo` under
    /// ``NetworkingReachabilityNotificationStatusItem``.
    public static let networkingReachabilityDidChange = Notification.Name(
        "com.alamofire.networking.reachability.change"
    )
}

/// The key in a notification's `userInfo` of an `NSNumber`: the raw value of a
/// ``NetworkReachabilityStatus``.
public let NetworkingReachabilityNotificationStatusItem: String =
    "AFNetworkingReachabilityNotificationStatusItem"
