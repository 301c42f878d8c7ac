internal import COpenSSL
internal import Foundation

/// The certificates at which a path may end.
@safe struct CertificateStore: ~Copyable {
    /// Only used in this folder, while this value is alive.
    let handle: OpaquePointer?

    /// - Parameter anchors: DER-encoded. Invalid certificates are skipped.
    init(_ anchors: some Sequence<Data>) {
        unsafe handle = X509_STORE_new()
        for der in anchors {
            guard let certificate = X509Certificate(der: der) else { continue }
            // The store takes its own reference.
            unsafe X509_STORE_add_cert(handle, certificate.handle)
        }
        ERR_clear_error()
    }

    deinit {
        unsafe X509_STORE_free(handle)
    }
}
