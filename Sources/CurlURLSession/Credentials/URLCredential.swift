public import Foundation

// `@unchecked Sendable`: the only stored property is a constant, and the compiler proves its type
// to be `Sendable`. The compiler can't prove that of an open class. A subclass is responsible for
// what it adds.
/// A user name and password, a client certificate, or a server trust.
///
/// A credential with a server trust accepts the server's certificates. A credential is immutable.
/// Its description doesn't contain the password.
open class URLCredential: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let user: String?
        let password: String?
        let persistence: Persistence
        var identity: SecIdentity?
        var serverTrust: SecTrust?
    }

    /// Creates a credential from a user name and password.
    public init(user: String, password: String, persistence: Persistence) {
        content = Content(user: user, password: password, persistence: persistence)
    }

    /// Creates a credential with a client certificate.
    ///
    /// - Parameters:
    ///   - identity: The certificate and its key.
    ///   - certArray: Ignored: the identity contains the chain to the root.
    ///   - persistence: Ignored: such a credential is used once and not stored.
    public init(identity: SecIdentity, certificates certArray: [Any]?, persistence: Persistence) {
        content = Content(user: nil, password: nil, persistence: .none, identity: identity)
    }

    /// Creates a credential that accepts a server's certificates, whatever the verification found.
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

    /// Decodes a credential; `nil` if the coder doesn't support keys.
    public required init?(coder aDecoder: NSCoder) {
        guard aDecoder.allowsKeyedCoding else { return nil }
        let persistence = aDecoder.decodeUInt(Key.persistence)
        content = Content(
            user: aDecoder.decodeString(Key.user),
            password: aDecoder.decodeString(Key.password),
            persistence: persistence.flatMap { Persistence(rawValue: $0) } ?? .none
        )
    }

    /// Encodes the credential, including its password. Does nothing if the coder doesn't support
    /// keys.
    open func encode(with aCoder: NSCoder) {
        guard aCoder.allowsKeyedCoding else { return }
        aCoder.encode(content.user, key: Key.user)
        aCoder.encode(content.password, key: Key.password)
        aCoder.encode(content.persistence.rawValue, key: Key.persistence)
    }

    /// `true`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns the receiver, which is immutable.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// Returns the receiver, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    /// The user name.
    open var user: String? { content.user }

    /// The password.
    open var password: String? { content.password }

    /// Whether there is a password. It may be empty.
    open var hasPassword: Bool { content.password != nil }

    /// The client certificate and its key; `nil` for other kinds of credentials.
    open var identity: SecIdentity? { content.identity }

    /// The server trust that this credential accepts.
    final var serverTrust: SecTrust? { content.serverTrust }

    /// How long the credential is kept.
    open var persistence: Persistence { content.persistence }

    /// Whether `object` is a credential with the same contents.
    ///
    /// User, password, persistence, identity and server trust are compared.
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

extension URLCredential {
    /// How long a credential is kept, always only in this process.
    public enum Persistence: UInt, Sendable {
        /// The credential is used once and not stored.
        case none
        /// The credential is stored as long as its storage exists.
        case forSession
        /// The same as ``forSession``: no storage outlives the process.
        case permanent
        /// The credential isn't stored: no service shares it between a user's devices.
        case synchronizable
    }
}

extension URL {
    /// The user name and password in the URL; `nil` without a user name.
    var credential: URLCredential? {
        guard let user = user(percentEncoded: false), !user.isEmpty else { return nil }
        return URLCredential(
            user: user,
            password: password(percentEncoded: false) ?? "",
            persistence: .none
        )
    }
}
