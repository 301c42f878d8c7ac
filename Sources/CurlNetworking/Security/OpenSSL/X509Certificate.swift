internal import COpenSSL
internal import Foundation

/// A certificate (RFC 5280, 4.1) as OpenSSL reads it.
@safe struct X509Certificate: ~Copyable {
    /// Used by others in this folder alone, and for no longer than this value lives.
    let handle: OpaquePointer

    /// - Parameter der: The certificate, and nothing after it. What is none is `nil`.
    init?(der: Data) {
        let parsed = unsafe der.withUnsafeBytes { bytes -> OpaquePointer? in
            let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
            guard let start = unsafe start else { return nil }
            // It is moved past what was read.
            var next: UnsafePointer<UInt8>? = unsafe start
            guard let handle = unsafe d2i_X509(nil, &next, bytes.count) else { return nil }
            guard unsafe next == start + bytes.count else {
                unsafe X509_free(handle)
                return nil
            }
            return unsafe handle
        }
        // What was wrong would be taken for the next call's.
        ERR_clear_error()
        guard let parsed = unsafe parsed else { return nil }
        unsafe handle = parsed
    }

    deinit {
        unsafe X509_free(handle)
    }

    /// The public key of a certificate, with its algorithm (SubjectPublicKeyInfo; RFC 5280, 4.1.2.7),
    /// DER-encoded. What is no certificate has none.
    static func publicKey(of der: Data) -> Data? {
        guard let certificate = X509Certificate(der: der),
            let key = unsafe X509_get_X509_PUBKEY(certificate.handle)
        else { return nil }
        return unsafe encoded { unsafe i2d_X509_PUBKEY(key, $0) }
    }

    /// The certificate, DER-encoded, of a pointer that OpenSSL keeps.
    static func encoded(_ handle: OpaquePointer) -> Data? {
        unsafe encoded { unsafe i2d_X509(handle, $0) }
    }

    /// What a function of OpenSSL's writes: asked without a place for it, it tells how long it is.
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
