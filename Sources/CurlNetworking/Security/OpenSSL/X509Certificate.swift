internal import COpenSSL
internal import Foundation

/// A certificate (RFC 5280, 4.1), parsed by OpenSSL.
@safe struct X509Certificate: ~Copyable {
    /// Only used in this folder, while this value is alive.
    let handle: OpaquePointer

    /// - Parameter der: One DER-encoded certificate without trailing bytes. The result is `nil` if
    ///   it is invalid.
    init?(der: Data) {
        let parsed = unsafe der.withUnsafeBytes { bytes -> OpaquePointer? in
            let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
            guard let start = unsafe start else { return nil }
            // `d2i_X509` advances it past the bytes that it has read.
            var next: UnsafePointer<UInt8>? = unsafe start
            guard let handle = unsafe d2i_X509(nil, &next, bytes.count) else { return nil }
            guard unsafe next == start + bytes.count else {
                unsafe X509_free(handle)
                return nil
            }
            return unsafe handle
        }
        // Otherwise a later call would report this error.
        ERR_clear_error()
        guard let parsed = unsafe parsed else { return nil }
        unsafe handle = parsed
    }

    deinit {
        unsafe X509_free(handle)
    }

    /// The DER-encoded public key of a certificate, with its algorithm.
    ///
    /// It is the SubjectPublicKeyInfo (RFC 5280, 4.1.2.7). `nil` if the certificate is invalid.
    static func publicKey(of der: Data) -> Data? {
        guard let certificate = X509Certificate(der: der),
            let key = unsafe X509_get_X509_PUBKEY(certificate.handle)
        else { return nil }
        return unsafe encoded { unsafe i2d_X509_PUBKEY(key, $0) }
    }

    /// The DER encoding of a certificate that OpenSSL owns.
    static func encoded(_ handle: OpaquePointer) -> Data? {
        unsafe encoded { unsafe i2d_X509(handle, $0) }
    }

    /// The output of an OpenSSL encoding function.
    ///
    /// The function returns the length if it is called without a buffer.
    private static func encoded(
        _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) -> Data? {
        let length = Int(write(nil))
        guard length > 0 else { return nil }
        var encoded = Data(count: length)
        let written = unsafe encoded.withUnsafeMutableBytes { bytes -> Int32 in
            var start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
            return unsafe write(&start)
        }
        return Int(written) == length ? encoded : nil
    }
}
