internal import CurlTransport
public import Foundation

/// A certificate and its private key, by which a client shows who it is.
///
/// The class has the name that Apple's Security framework gives to what it stands for.
public final class SecIdentity: Sendable {
    let content: ClientIdentity

    /// Creates an identity of PEM encodings.
    ///
    /// - Parameters:
    ///   - certificate: The certificate, and those that lead to its root.
    ///   - key: The private key.
    ///   - password: That of the key; `nil` for none.
    public init(pemCertificate certificate: Data, key: Data, password: String? = nil) {
        content = .pem(certificate: [UInt8](certificate), key: [UInt8](key), password: password)
    }

    /// Creates an identity of what a PKCS#12 file has.
    public init(pkcs12 data: Data, password: String? = nil) {
        content = .pkcs12([UInt8](data), password: password)
    }
}
