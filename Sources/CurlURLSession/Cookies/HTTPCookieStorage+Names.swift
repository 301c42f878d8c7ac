public import Foundation

extension NSNotification.Name {
    /// The cookies of a storage have changed, which is the notification's object.
    ///
    /// Posted after the change: on the thread that changed it by a method of the storage, or on a queue
    /// of the storage's where a response did, or somebody else who has the same file.
    public static let NSHTTPCookieManagerCookiesChanged = Notification.Name(
        rawValue: "NSHTTPCookieManagerCookiesChangedNotification"
    )

    /// The ``HTTPCookieStorage/cookieAcceptPolicy`` of a storage has changed, which is the
    /// notification's object. Posted on the thread that changed it, after the change.
    public static let NSHTTPCookieManagerAcceptPolicyChanged = NSNotification.Name(
        rawValue: "NSHTTPCookieManagerAcceptPolicyChangedNotification"
    )
}
