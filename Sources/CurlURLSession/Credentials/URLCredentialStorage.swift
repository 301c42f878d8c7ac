public import Foundation
internal import Synchronization

/// The credentials that are known, by what they are for.
///
/// They are in this process' memory alone, whatever their persistence. Every method may be called
/// from any thread.
///
/// `@unchecked Sendable`: its one stored property is constant, and a lock, which the compiler proves
/// to be `Sendable` with all that is behind it. A class that others may inherit from can't say so
/// otherwise; whoever does answers for what he adds.
open class URLCredentialStorage: NSObject, @unchecked Sendable {
    private static let sharedStorage = URLCredentialStorage()

    /// The storage that sessions use unless their configurations have another one.
    open class var shared: URLCredentialStorage { sharedStorage }

    private let spaces = Mutex<[URLProtectionSpace: StoredCredentials]>([:])

    /// Creates an empty storage.
    public override init() {}

    /// The credentials for a protection space by their users; `nil` if there are none.
    open func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
        spaces.withLock { $0[space]?.credentialsByUser }
    }

    /// All credentials, by protection space and user.
    open var allCredentials: [URLProtectionSpace: [String: URLCredential]] {
        spaces.withLock { $0.compactMapValues(\.credentialsByUser) }
    }

    /// Stores a credential in the place of the one that its user has. The first one of a protection
    /// space is its default.
    ///
    /// One whose persistence is `none` or `synchronizable` isn't stored.
    open func set(_ credential: URLCredential, for space: URLProtectionSpace) {
        store(credential, for: space, asDefault: false)
    }

    /// Removes a credential, if it is the one that its user has.
    open func remove(_ credential: URLCredential, for space: URLProtectionSpace) {
        remove(credential, for: space, options: nil)
    }

    /// Removes a credential, if it is the one that its user has. The options change nothing:
    /// credentials that are shared between a user's devices aren't stored.
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
        if isChanged { tell() }
    }

    /// The credential that a protection space is tried with first; `nil` if there is none.
    open func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        spaces.withLock { $0[space]?.preferred }
    }

    /// Stores a credential, which is tried first from now on.
    ///
    /// One whose persistence is `none` or `synchronizable` isn't stored.
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
        if isChanged { tell() }
    }

    /// Outside of the lock: who is told may ask.
    private func tell() {
        NotificationCenter.default.post(name: .NSURLCredentialStorageChanged, object: self)
    }
}
