public import Foundation

/// What a client proves with who it is: a user's name and password, or a certificate. Or what it says
/// yes with to a server's certificates.
///
/// A credential doesn't change. Its description doesn't show the password.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever
/// does answers for what he adds.
open class URLCredential: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let user: String?
        let password: String?
        let persistence: Persistence
        var identity: SecIdentity?
        var serverTrust: SecTrust?
    }

    /// Creates a credential of a user's name and password.
    public init(user: String, password: String, persistence: Persistence) {
        content = Content(user: user, password: password, persistence: persistence)
    }

    /// Creates a credential that shows a server a certificate of the client's.
    ///
    /// - Parameters:
    ///   - identity: The certificate and its key.
    ///   - certArray: Isn't looked at: the identity has the certificates that lead to its root.
    ///   - persistence: Isn't looked at: such a credential is used once and not stored.
    public init(identity: SecIdentity, certificates certArray: [Any]?, persistence: Persistence) {
        content = Content(user: nil, password: nil, persistence: .none, identity: identity)
    }

    /// Creates a credential that says yes to a server's certificates, whatever verification said.
    ///
    /// - Parameter trust: From the challenge's ``URLProtectionSpace/serverTrust``.
    public init(trust: SecTrust) {
        content = Content(user: nil, password: nil, persistence: .none, serverTrust: trust)
    }

    private enum Key {
        static let user = "user"
        static let password = "password"
        static let persistence = "persistence"
    }

    /// Reads a credential from an archive; `nil` if the coder has no keys.
    public required init?(coder aDecoder: NSCoder) {
        guard aDecoder.allowsKeyedCoding else { return nil }
        let persistence = aDecoder.decodeUInt(Key.persistence)
        content = Content(
            user: aDecoder.decodeString(Key.user),
            password: aDecoder.decodeString(Key.password),
            persistence: persistence.flatMap { Persistence(rawValue: $0) } ?? .none
        )
    }

    /// Writes the credential, its password too. A coder without keys gets nothing.
    open func encode(with aCoder: NSCoder) {
        guard aCoder.allowsKeyedCoding else { return }
        aCoder.encode(content.user, key: Key.user)
        aCoder.encode(content.password, key: Key.password)
        aCoder.encode(content.persistence.rawValue, key: Key.persistence)
    }

    /// `true`.
    public static var supportsSecureCoding: Bool { true }

    /// The receiver, which doesn't change.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// The receiver, which doesn't change.
    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    /// The user's name.
    open var user: String? { content.user }

    /// The user's password.
    open var password: String? { content.password }

    /// Whether there is a password, be it an empty one.
    open var hasPassword: Bool { content.password != nil }

    /// The certificate and key that a server is shown; `nil` for a credential of another kind.
    open var identity: SecIdentity? { content.identity }

    /// The server's certificates that this says yes to.
    final var serverTrust: SecTrust? { content.serverTrust }

    /// How long the credential is kept.
    open var persistence: Persistence { content.persistence }

    /// Whether `object` is a credential with the same user, password and persistence.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? URLCredential else { return false }
        return other === self
            || (other.user == user && other.password == password
                && other.persistence == persistence && other.identity === identity
                && other.serverTrust === serverTrust)
    }

    /// Equal for equal credentials.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(user)
        hasher.combine(password)
        hasher.combine(persistence)
        return hasher.finalize()
    }
}
