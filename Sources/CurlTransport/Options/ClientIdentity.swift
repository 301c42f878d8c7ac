/// The certificate and key by which a client shows who it is.
///
/// Files are read by libcurl for each new connection; that they can be read is checked before
/// anything is sent. Passwords don't appear in descriptions.
///
/// Every server that a transfer comes to is shown it where the server asks, as with the `curl`
/// command: that of another origin, too, to which a redirect leads. (Credentials, on the other hand,
/// don't follow a redirect to another origin.) Where that isn't wanted, refuse such redirects, or
/// follow them by a request with options of its own: see ``RedirectPolicy``.
///
/// See <https://curl.se/libcurl/c/CURLOPT_SSLCERT.html>.
public enum ClientIdentity: Sendable, Hashable {
    /// A file with the certificate (and those that lead to its root) and one with the private key,
    /// both in PEM form. The password is that of the key.
    case pemFiles(certificate: String, key: String, password: String? = nil)

    /// The certificate (and those that lead to its root) and the private key, both in PEM form.
    /// The password is that of the key.
    case pem(certificate: [UInt8], key: [UInt8], password: String? = nil)

    /// A PKCS#12 file, which has the certificate and the key.
    case pkcs12File(String, password: String? = nil)

    /// The content of a PKCS#12 file, which has the certificate and the key.
    case pkcs12([UInt8], password: String? = nil)
}

extension ClientIdentity: CustomStringConvertible, CustomReflectable {
    /// What kind of identity this is, without key and password.
    public var description: String {
        switch self {
        case .pemFiles(let certificate, _, _): "PEM file \(certificate)"
        case .pem: "PEM bytes"
        case .pkcs12File(let path, _): "PKCS#12 file \(path)"
        case .pkcs12: "PKCS#12 bytes"
        }
    }

    /// Shows no more than ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
