public import Foundation

/// An option of `URLCredentialStorage.remove(_:for:options:)`: whether a credential that is shared
/// between a user's devices is removed. There are none here.
public let NSURLCredentialStorageRemoveSynchronizableCredentials: String =
    "NSURLCredentialStorageRemoveSynchronizableCredentials"

extension NSNotification.Name {
    /// A storage has changed, which is the notification's object. Posted on the thread that changed
    /// it, after the change.
    public static let NSURLCredentialStorageChanged = NSNotification.Name(
        rawValue: "NSURLCredentialStorageChangedNotification"
    )
}
