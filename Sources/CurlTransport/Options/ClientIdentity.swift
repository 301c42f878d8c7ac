/// The certificate and key that authenticate the client.
///
/// libcurl reads the files for each new connection. Their readability is checked before anything is
/// sent. A replaced file applies to the next connection, as with ``TrustRoots``: later transfers
/// reuse no connection and no TLS session of the former identity. Passwords don't appear in
/// descriptions.
///
/// Any server that asks for a certificate gets it, as with the `curl` command, including the target
/// of a redirect to another origin. (Credentials don't follow a redirect to another origin.) To
/// prevent this, refuse such redirects, or follow them with a request that has its own options: see
/// ``RedirectPolicy``.
///
/// See <https://curl.se/libcurl/c/CURLOPT_SSLCERT.html>.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ClientIdentity: Sendable, Hashable {
    /// Two PEM files: the certificate with its chain, and the private key.
    ///
    /// The password is that of the key.
    case pemFiles(certificate: String, key: String, password: String? = nil)

    /// The certificate with its chain, and the private key, in PEM form.
    ///
    /// The password is that of the key.
    case pem(certificate: [UInt8], key: [UInt8], password: String? = nil)

    /// A PKCS#12 file with the certificate and the key.
    case pkcs12File(String, password: String? = nil)

    /// The content of a PKCS#12 file with the certificate and the key.
    case pkcs12([UInt8], password: String? = nil)

    /// Two PEM files that are replaced from time to time, as by a certificate manager.
    ///
    /// The same as ``pemFiles(certificate:key:password:)``: the client watches these files anyway.
    /// It looks at them when a connection is opened, and once a second while connections are
    /// reused. The next request after a change uses a new connection with the new identity. No
    /// request fails because of an old certificate if the files are replaced before it expires.
    ///
    /// Replace both at once, as by renaming a symbolic link to their folder: a certificate and a
    /// key that don't fit fail new connections. If a file is missing, the client uses its last
    /// version's connections, and new connections fail.
    public static func watching(
        certificate: String,
        key: String,
        password: String? = nil
    ) -> ClientIdentity {
        .pemFiles(certificate: certificate, key: key, password: password)
    }
}

extension ClientIdentity: CustomStringConvertible, CustomReflectable {
    /// The kind of identity, without key and password.
    public var description: String {
        switch self {
        case .pemFiles(let certificate, _, _): "PEM file \(certificate)"
        case .pem: "PEM bytes"
        case .pkcs12File(let path, _): "PKCS#12 file \(path)"
        case .pkcs12: "PKCS#12 bytes"
        }
    }

    /// Shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
