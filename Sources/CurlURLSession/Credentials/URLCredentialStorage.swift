public import Foundation
internal import Synchronization

// `@unchecked Sendable`: the only stored property is a constant lock, which the compiler proves to
// be `Sendable` with all that it protects. The compiler can't prove that of an open class. A
// subclass is responsible for what it adds.
/// Stores credentials by protection space.
///
/// They are only in this process's memory, whatever their persistence. Every method may be called
/// from any thread.
open class URLCredentialStorage: NSObject, @unchecked Sendable {
    private static let sharedStorage = URLCredentialStorage()

    /// The storage that sessions use by default.
    open class var shared: URLCredentialStorage { sharedStorage }

    private let spaces = Mutex<[URLProtectionSpace: StoredCredentials]>([:])

    /// Creates an empty storage.
    public override init() {}

    /// The credentials for a protection space by user; `nil` without any.
    open func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
        spaces.withLock { $0[space]?.credentialsByUser }
    }

    /// All credentials, by protection space and user.
    open var allCredentials: [URLProtectionSpace: [String: URLCredential]] {
        spaces.withLock { $0.compactMapValues(\.credentialsByUser) }
    }

    /// Stores a credential, and replaces the same user's one.
    ///
    /// The first credential of a protection space becomes its default. A credential whose
    /// persistence is `none` or `synchronizable` isn't stored.
    open func set(_ credential: URLCredential, for space: URLProtectionSpace) {
        store(credential, for: space, asDefault: false)
    }

    /// Removes a credential if it is equal to the user's stored one.
    open func remove(_ credential: URLCredential, for space: URLProtectionSpace) {
        remove(credential, for: space, options: nil)
    }

    /// Removes a credential if it is equal to the user's stored one.
    ///
    /// The options have no effect: credentials shared between devices aren't stored.
    open func remove(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        options: [String: AnyObject]? = [:]
    ) {
        let isChanged = spaces.withLock { spaces in
            guard var stored = spaces[space], stored.remove(credential) else { return false }
            spaces[space] = stored.isEmpty ? nil : stored
            return true
        }
        if isChanged { postChangeNotification() }
    }

    /// The default credential for a protection space; `nil` if there is none.
    open func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        spaces.withLock { $0[space]?.preferred }
    }

    /// Stores a credential as the default.
    ///
    /// A credential whose persistence is `none` or `synchronizable` isn't stored.
    open func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
        store(credential, for: space, asDefault: true)
    }

    private func store(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        asDefault: Bool
    ) {
        guard [.forSession, .permanent].contains(credential.persistence) else { return }
        let isChanged = spaces.withLock {
            $0[space, default: StoredCredentials()].set(credential, asDefault: asDefault)
        }
        if isChanged { postChangeNotification() }
    }

    /// Notifies without the lock: observers may call the storage.
    private func postChangeNotification() {
        NotificationCenter.default.post(name: .NSURLCredentialStorageChanged, object: self)
    }
}

/// An option of `URLCredentialStorage.remove(_:for:options:)` for credentials shared between
/// devices.
///
/// It has no effect: such credentials aren't stored.
public let NSURLCredentialStorageRemoveSynchronizableCredentials: String =
    "NSURLCredentialStorageRemoveSynchronizableCredentials"

extension NSNotification.Name {
    /// Posted after a storage, the notification's object, has changed.
    ///
    /// It is posted on the thread that changed the storage.
    public static let NSURLCredentialStorageChanged = NSNotification.Name(
        rawValue: "NSURLCredentialStorageChangedNotification"
    )
}
