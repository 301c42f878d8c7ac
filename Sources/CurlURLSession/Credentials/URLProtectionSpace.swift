public import Foundation
internal import HTTPSemantics

// `@unchecked Sendable`: the only stored property is a constant, and the compiler proves its type
// to be `Sendable`. The compiler can't prove that of an open class. A subclass is responsible for
// what it adds.
/// A realm on a server or proxy that requires authentication.
///
/// A protection space is immutable.
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

        /// The method if it is one of the constants, else the constant of the default method.
        var knownMethod: String {
            switch method {
            case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
                NSURLAuthenticationMethodHTMLForm, NSURLAuthenticationMethodNTLM,
                NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodClientCertificate,
                NSURLAuthenticationMethodServerTrust:
                method
            default:
                NSURLAuthenticationMethodDefault
            }
        }
    }

    /// Creates a protection space of a server.
    ///
    /// - Parameters:
    ///   - host: The server's name or address.
    ///   - port: The server's port; 0 for none.
    ///   - protocol: `http` or `https`, or the constants `NSURLProtectionSpaceHTTP` and `…HTTPS`.
    ///   - realm: The realm in the server's challenge.
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
    ///   - realm: The realm in the proxy's challenge.
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

    /// Creates the protection space of a server trust challenge.
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

    /// Returns the receiver, which is immutable.
    open override func copy() -> Any {
        copy(with: nil)
    }

    /// Returns the receiver, which is immutable.
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

    /// The realm that the server or proxy names; `nil` without one.
    open var realm: String? { content.realm }

    /// The authentication method: one of the `NSURLAuthenticationMethod…` constants.
    open var authenticationMethod: String { content.method }

    /// Whether the protection space belongs to a proxy.
    open override func isProxy() -> Bool { content.isForProxy }

    /// Whether the password is protected in transit.
    ///
    /// It is with TLS, or with a method that doesn't send the password.
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

    /// The server's certificates for a server trust challenge; `nil` for other challenges.
    public var serverTrust: SecTrust? { content.serverTrust }

    /// The DER-encoded names of accepted certificate authorities for clients.
    ///
    /// Always `nil`: libcurl doesn't provide them.
    public var distinguishedNames: [Data]? { nil }

    /// Whether `object` is an equal protection space.
    ///
    /// All properties except ``serverTrust`` are compared. The case of the host's letters is
    /// ignored.
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
    ///
    /// An authentication method that isn't one of the `NSURLAuthenticationMethod…` constants is
    /// described as `NSURLAuthenticationMethodDefault`.
    open override var description: String {
        "\(super.description): Host:\(host), Server:\(content.protocolName ?? "(null)"), "
            + "Auth-Scheme:\(content.knownMethod), Realm:\(content.realm ?? "(null)"), Port:\(port), "
            + "Proxy:\(content.isForProxy ? "YES" : "NO"), Proxy-Type:\(content.proxyType ?? "(null)")"
    }
}

extension URLProtectionSpace {
    /// Whether a challenge concerns a whole connection rather than one request.
    ///
    /// If so, the session's delegate is asked before the task's delegate.
    var concernsConnections: Bool {
        switch authenticationMethod {
        case NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
            NSURLAuthenticationMethodClientCertificate, NSURLAuthenticationMethodServerTrust:
            true
        default:
            false
        }
    }
}

/// The protocol of a protection space: HTTP.
public let NSURLProtectionSpaceHTTP: String = "NSURLProtectionSpaceHTTP"

/// The protocol of a protection space: HTTPS.
public let NSURLProtectionSpaceHTTPS: String = "NSURLProtectionSpaceHTTPS"

/// The protocol of a protection space: FTP, which isn't supported.
public let NSURLProtectionSpaceFTP: String = "NSURLProtectionSpaceFTP"

/// The type of a proxy: an HTTP proxy for `http` requests.
public let NSURLProtectionSpaceHTTPProxy: String = "NSURLProtectionSpaceHTTPProxy"

/// The type of a proxy: an HTTP proxy for `https` requests.
public let NSURLProtectionSpaceHTTPSProxy: String = "NSURLProtectionSpaceHTTPSProxy"

/// The type of a proxy: one for FTP, which isn't supported.
public let NSURLProtectionSpaceFTPProxy: String = "NSURLProtectionSpaceFTPProxy"

/// The type of a proxy: SOCKS.
public let NSURLProtectionSpaceSOCKSProxy: String = "NSURLProtectionSpaceSOCKSProxy"

/// The default authentication method of a protocol.
public let NSURLAuthenticationMethodDefault: String = "NSURLAuthenticationMethodDefault"

/// Basic authentication (RFC 7617): the password is sent unencrypted.
public let NSURLAuthenticationMethodHTTPBasic: String = "NSURLAuthenticationMethodHTTPBasic"

/// Digest authentication (RFC 7616): a hash of the password is sent.
public let NSURLAuthenticationMethodHTTPDigest: String = "NSURLAuthenticationMethodHTTPDigest"

/// An HTML form: the password is sent unencrypted.
public let NSURLAuthenticationMethodHTMLForm: String = "NSURLAuthenticationMethodHTMLForm"

/// NTLM authentication: a response to a challenge is sent.
public let NSURLAuthenticationMethodNTLM: String = "NSURLAuthenticationMethodNTLM"

/// Negotiate authentication (RFC 4559): a ticket is sent.
public let NSURLAuthenticationMethodNegotiate: String = "NSURLAuthenticationMethodNegotiate"

/// A client certificate in TLS.
public let NSURLAuthenticationMethodClientCertificate: String =
    "NSURLAuthenticationMethodClientCertificate"

/// Evaluation of the server's certificates.
public let NSURLAuthenticationMethodServerTrust: String = "NSURLAuthenticationMethodServerTrust"
