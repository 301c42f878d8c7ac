internal import COpenSSL
internal import Foundation

/// The certificates that a path may end with.
@safe struct CertificateStore: ~Copyable {
    /// Used by others in this folder alone, and for no longer than this value lives.
    let handle: OpaquePointer?

    /// - Parameter anchors: DER-encoded. What is none is left out.
    init(_ anchors: some Sequence<Data>) {
        unsafe handle = X509_STORE_new()
        for der in anchors {
            guard let certificate = X509Certificate(der: der) else { continue }
            // It takes a reference of its own.
            unsafe X509_STORE_add_cert(handle, certificate.handle)
        }
        ERR_clear_error()
    }

    deinit {
        unsafe X509_STORE_free(handle)
    }
}
