internal import COpenSSL

/// Checks a client certificate and its key with libcrypto, before a connection needs them.
///
/// Only this file uses libcrypto's pointers for that. See
/// <https://docs.openssl.org/3.0/man3/X509_check_private_key/>.
@safe package enum IdentityCheck {
    /// Why a certificate and its key can't be used.
    package enum Fault: Sendable, Hashable {
        /// The password isn't that of the key or the file.
        case wrongPassword
        /// The key is that of another certificate.
        case otherKey
        /// The file isn't PKCS#12.
        case otherFormat
    }

    /// Returns what is wrong with the first certificate and the first key of two PEM texts.
    ///
    /// `nil` if they belong together, or libcrypto can't read them though they aren't encrypted.
    package static func fault(
        certificate: [UInt8],
        key: [UInt8],
        isEncrypted: Bool,
        password: String
    ) -> Fault? {
        let result = unsafe copenssl_check_pem(
            certificate,
            Int32(clamping: certificate.count),
            key,
            Int32(clamping: key.count),
            isEncrypted ? 1 : 0,
            password
        )
        return fault(result)
    }

    /// Returns what is wrong with the content of a PKCS#12 file and its password.
    package static func fault(pkcs12 bytes: [UInt8], password: String) -> Fault? {
        fault(unsafe copenssl_check_pkcs12(bytes, bytes.count, password))
    }

    private static func fault(_ result: Int32) -> Fault? {
        switch UInt32(bitPattern: result) {
        case COPENSSL_IDENTITY_WRONG_PASSWORD.rawValue: .wrongPassword
        case COPENSSL_IDENTITY_OTHER_KEY.rawValue: .otherKey
        case COPENSSL_IDENTITY_NO_PKCS12.rawValue: .otherFormat
        default: nil
        }
    }
}
