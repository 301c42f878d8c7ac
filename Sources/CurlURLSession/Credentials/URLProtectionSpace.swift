public import Foundation

/// Where a credential is asked for: a realm on a server, or on a proxy.
///
/// A protection space doesn't change.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever
/// does answers for what he adds.
open class URLProtectionSpace: NSObject, NSCopying, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let host: String
        let port: Int
        let isForProxy: Bool
        let protocolName: String?
        let proxyType: String?
        let realm: String?
        let method: String
        var serverTrust: SecTrust?
    }

    /// Creates a protection space of a server.
    ///
    /// - Parameters:
    ///   - host: The server's name or address.
    ///   - port: The server's port; 0 for none.
    ///   - protocol: `http` or `https`, or the constants `NSURLProtectionSpaceHTTP` and `…HTTPS`.
    ///   - realm: What the server calls it in its challenge.
    ///   - authenticationMethod: One of the `NSURLAuthenticationMethod…` constants; `nil` means
    ///     `NSURLAuthenticationMethodDefault`.
    public init(
        host: String,
        port: Int,
        protocol: String?,
        realm: String?,
        authenticationMethod: String?
    ) {
        content = Content(
            host: host,
            port: port,
            isForProxy: false,
            protocolName: `protocol`,
            proxyType: nil,
            realm: realm,
            method: authenticationMethod ?? NSURLAuthenticationMethodDefault
        )
    }

    /// Creates a protection space of a proxy.
    ///
    /// - Parameters:
    ///   - host: The proxy's name or address.
    ///   - port: The proxy's port; 0 for none.
    ///   - type: One of the `NSURLProtectionSpace…Proxy` constants.
    ///   - realm: What the proxy calls it in its challenge.
    ///   - authenticationMethod: One of the `NSURLAuthenticationMethod…` constants; `nil` means
    ///     `NSURLAuthenticationMethodDefault`.
    public init(
        proxyHost host: String,
        port: Int,
        type: String?,
        realm: String?,
        authenticationMethod: String?
    ) {
        content = Content(
            host: host,
            port: port,
            isForProxy: true,
            protocolName: nil,
            proxyType: type,
            realm: realm,
            method: authenticationMethod ?? NSURLAuthenticationMethodDefault
        )
    }

    /// Where a server has to be trusted.
    init(trust: SecTrust) {
        content = Content(
            host: trust.host,
            port: trust.port,
            isForProxy: false,
            protocolName: "https",
            proxyType: nil,
            realm: nil,
            method: NSURLAuthenticationMethodServerTrust,
            serverTrust: trust
        )
    }

    /// The receiver, which doesn't change.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// The receiver, which doesn't change.
    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    /// The name or address of the server or proxy.
    open var host: String { content.host }

    /// The port of the server or proxy; 0 for none.
    open var port: Int { content.port }

    /// The server's protocol; `nil` for a proxy.
    open var `protocol`: String? { content.protocolName }

    /// The proxy's type; `nil` for a server.
    open var proxyType: String? { content.proxyType }

    /// What the server or proxy calls it; `nil` where it gives no name.
    open var realm: String? { content.realm }

    /// How to authenticate: one of the `NSURLAuthenticationMethod…` constants.
    open var authenticationMethod: String { content.method }

    /// Whether it is a proxy that asks.
    open override func isProxy() -> Bool { content.isForProxy }

    /// Whether nobody on the way can read the password: over TLS, or with a method that doesn't send
    /// it.
    open var receivesCredentialSecurely: Bool {
        switch content.protocolName {
        case NSURLProtectionSpaceHTTPS, "https", "ftps":
            true
        default:
            [
                NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodNTLM,
                NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodClientCertificate,
                NSURLAuthenticationMethodServerTrust,
            ].contains(content.method)
        }
    }

    /// What the server presented, where the question is whether it is trusted; `nil` elsewhere.
    public var serverTrust: SecTrust? { content.serverTrust }

    /// The names of the authorities whose certificates the server accepts from clients, DER-encoded.
    /// Always `nil`: libcurl doesn't tell.
    public var distinguishedNames: [Data]? { nil }

    /// Whether `object` is the same protection space: equal in everything, but for the case of the
    /// host's letters.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? URLProtectionSpace else { return false }
        return other === self
            || (other.host.equalsIgnoringASCIICase(host) && other.port == port
                && other.isProxy() == isProxy() && other.protocol == `protocol`
                && other.proxyType == proxyType && other.realm == realm
                && other.authenticationMethod == authenticationMethod)
    }

    /// Equal for equal protection spaces.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(host.lowercased())
        hasher.combine(port)
        hasher.combine(realm)
        hasher.combine(authenticationMethod)
        return hasher.finalize()
    }

    /// The class, the address and all properties.
    open override var description: String {
        "\(super.description): Host:\(host), Server:\(content.protocolName ?? "(null)"), "
            + "Auth-Scheme:\(content.method), Realm:\(content.realm ?? "(null)"), Port:\(port), "
            + "Proxy:\(content.isForProxy ? "YES" : "NO"), Proxy-Type:\(content.proxyType ?? "(null)")"
    }
}
