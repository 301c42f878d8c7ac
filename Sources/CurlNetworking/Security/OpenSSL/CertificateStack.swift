internal import COpenSSL
internal import Foundation

/// Untrusted certificates among which OpenSSL searches for issuers.
@safe struct CertificateStack: ~Copyable {
    /// Only used in this folder, while this value is alive.
    let handle: OpaquePointer?

    /// - Parameter certificates: DER-encoded. Invalid certificates are skipped.
    init(_ certificates: some Sequence<Data>) {
        unsafe handle = copenssl_stack_new()
        for der in certificates {
            guard let certificate = X509Certificate(der: der) else { continue }
            unsafe X509_up_ref(certificate.handle)
            // The stack owns the new reference, unless memory was exhausted.
            if unsafe copenssl_stack_push(handle, certificate.handle) == 0 {
                unsafe X509_free(certificate.handle)
            }
        }
    }

    deinit {
        unsafe copenssl_stack_free(handle)
    }
}
