/// What a TLS handshake agreed on.
package struct TLSInfo: Sendable, Hashable {
    /// OpenSSL's name of the version, such as `TLSv1.3`.
    package let version: String

    /// OpenSSL's name of the cipher suite, such as `TLS_AES_256_GCM_SHA384`.
    package let cipher: String
}
