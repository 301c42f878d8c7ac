/// How TLS connections are made, to a server or to a proxy.
///
/// Connections are shared only between requests with equal configurations.
public struct TLSConfiguration: Sendable, Hashable {
    /// The certificates that the server's must lead to. The system's store by default.
    public var trustRoots: TrustRoots = .system

    /// How the client shows who it is, where the server asks. By default it doesn't.
    public var clientIdentity: ClientIdentity?

    /// The oldest version of TLS that is spoken. TLS 1.2 by default.
    public var minimumVersion: TLSVersion = .v1_2

    /// The newest version of TLS that is spoken; nil for the newest that the TLS library has.
    ///
    /// One that is older than ``minimumVersion`` is a configuration error.
    public var maximumVersion: TLSVersion?

    /// The cipher suites up to TLS 1.2, as the TLS library names them, such as
    /// `ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384`; nil for the library's choice.
    /// See <https://curl.se/libcurl/c/CURLOPT_SSL_CIPHER_LIST.html>.
    public var cipherList: String?

    /// The cipher suites of TLS 1.3, such as `TLS_AES_256_GCM_SHA384`; nil for the library's
    /// choice. See <https://curl.se/libcurl/c/CURLOPT_TLS13_CIPHERS.html>.
    public var tls13Ciphers: String?

    /// The groups for the key exchange, such as `X25519:P-256`; nil for the library's choice.
    ///
    /// Can't be set for a proxy. See <https://curl.se/libcurl/c/CURLOPT_SSL_EC_CURVES.html>.
    public var curves: String?

    /// SHA-256 digests of public keys in base64, one of which the server's must have; any key if
    /// this is empty.
    ///
    /// The digest is that of the certificate's SubjectPublicKeyInfo, as in RFC 7469; libcurl's
    /// `sha256//` may stand before it. What isn't such a digest is a configuration error.
    /// See <https://curl.se/libcurl/c/CURLOPT_PINNEDPUBLICKEY.html>.
    public var publicKeyPins: [String] = []

    /// Whether a server's certificate is accepted whoever issued it, so that anybody on the way
    /// can read and change what is sent. ``publicKeyPins`` are still checked.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_SSL_VERIFYPEER.html>.
    public var dangerouslyDisablesPeerVerification = false

    /// Whether a certificate is accepted that was issued for another host, so that whoever has any
    /// certificate of an accepted issuer can read and change what is sent.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_SSL_VERIFYHOST.html>.
    public var dangerouslyDisablesHostVerification = false

    /// Whether the delegate is asked about the server's certificates before the request is sent.
    ///
    /// It decides after the TLS library has: its yes counts for what was refused, too. Costs time for each
    /// new connection. Can't be set for a proxy.
    /// See <https://curl.se/libcurl/c/CURLOPT_CERTINFO.html>.
    public var evaluatesServerTrust = false

    /// Creates a configuration that trusts the system's store and speaks TLS 1.2 and newer.
    public init() {}
}
