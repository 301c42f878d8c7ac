/// The configuration of TLS connections to a server or a proxy.
///
/// Only requests with equal configurations share connections.
public struct TLSConfiguration: Sendable, Hashable {
    /// The trusted CA certificates. Default: the system's store.
    public var trustRoots: TrustRoots = .system

    /// The certificate and key that authenticate the client if the server asks. Default: none.
    public var clientIdentity: ClientIdentity?

    /// The oldest allowed version of TLS. Default: TLS 1.2.
    public var minimumVersion: TLSVersion = .v1_2

    /// The newest allowed version of TLS; nil for the newest of the TLS library.
    ///
    /// A version older than ``minimumVersion`` is a configuration error.
    public var maximumVersion: TLSVersion?

    /// The cipher suites up to TLS 1.2; nil for the TLS library's default.
    ///
    /// The syntax is the TLS library's, such as
    /// `ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384`. See
    /// <https://curl.se/libcurl/c/CURLOPT_SSL_CIPHER_LIST.html>.
    public var cipherList: String?

    /// The cipher suites of TLS 1.3, such as `TLS_AES_256_GCM_SHA384`; nil for the default.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_TLS13_CIPHERS.html>.
    public var tls13Ciphers: String?

    /// The groups for the key exchange, such as `X25519:P-256`; nil for the default.
    ///
    /// Can't be set for a proxy. See <https://curl.se/libcurl/c/CURLOPT_SSL_EC_CURVES.html>.
    public var curves: String?

    /// SHA-256 digests of allowed public keys in base64; if empty, any key is allowed.
    ///
    /// The server's key must match one of them. A digest is that of the certificate's
    /// SubjectPublicKeyInfo, as in RFC 7469; libcurl's prefix `sha256//` is optional. Anything else
    /// is a configuration error. See <https://curl.se/libcurl/c/CURLOPT_PINNEDPUBLICKEY.html>.
    public var publicKeyPins: [String] = []

    /// Whether certificates of any issuer are accepted. Default: false.
    ///
    /// If true, an attacker on the network can read and change the traffic. ``publicKeyPins`` are
    /// still checked. See <https://curl.se/libcurl/c/CURLOPT_SSL_VERIFYPEER.html>.
    public var dangerouslyDisablesPeerVerification = false

    /// Whether certificates for other host names are accepted. Default: false.
    ///
    /// If true, an attacker with any certificate of a trusted issuer can read and change the
    /// traffic. See <https://curl.se/libcurl/c/CURLOPT_SSL_VERIFYHOST.html>.
    public var dangerouslyDisablesHostVerification = false

    /// Whether the delegate evaluates the server's certificates before the request is sent.
    ///
    /// The delegate decides after the TLS library, and may accept a certificate that the library
    /// rejected. It is called for each new connection; its decision applies to the whole lifetime
    /// of that connection. A late decision (``TrustDecision/later``) over HTTP/1.1, and a
    /// certificate that the TLS library rejected, need another handshake each. Each request over a
    /// unix socket gets a new connection: libcurl doesn't distinguish those of a socket. Can't be
    /// set for a proxy. Default: false. See <https://curl.se/libcurl/c/CURLOPT_CERTINFO.html>.
    public var evaluatesServerTrust = false

    /// Whether a transfer fails if the server requests a client certificate and there is none.
    ///
    /// Such a transfer fails with ``TransportError/Code/clientCertificateRequired`` before its
    /// request is sent, so that the program can send it again with a ``clientIdentity``. If false,
    /// the handshake continues without a certificate, and the server decides. A connection that
    /// another transfer has used before isn't checked. OpenSSL alone reports such requests, and
    /// not those of a resumed TLS session. No effect on byte connections, WebSocket connections and
    /// HTTP/3. Can't be set for a proxy. Default: false. Source: RFC 8446, section 4.3.2.
    public var failsOnCertificateRequest = false

    /// Whether the program has decided to send no client certificate to servers that request one.
    ///
    /// Later transfers on the same connection then don't fail because of ``failsOnCertificateRequest``.
    package var declinesIdentity = false

    /// Creates a configuration with the system's store and TLS 1.2 or newer.
    public init() {}
}

/// A version of TLS. See <https://curl.se/libcurl/c/CURLOPT_SSLVERSION.html>.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum TLSVersion: Int, Sendable, Hashable, Comparable {
    /// TLS 1.0, deprecated by RFC 8996. The TLS library may refuse it in any case.
    case v1_0
    /// TLS 1.1, deprecated by RFC 8996. The TLS library may refuse it in any case.
    case v1_1
    /// TLS 1.2, RFC 5246.
    case v1_2
    /// TLS 1.3, RFC 8446.
    case v1_3

    /// Orders versions by age, the oldest first.
    public static func < (lhs: TLSVersion, rhs: TLSVersion) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}
