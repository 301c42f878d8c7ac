internal import COpenSSL
internal import Foundation

/// Certificates among which OpenSSL looks for issuers, without trusting them.
@safe struct CertificateStack: ~Copyable {
    /// Used by others in this folder alone, and for no longer than this value lives.
    let handle: OpaquePointer?

    /// - Parameter certificates: DER-encoded. What is none is left out.
    init(_ certificates: some Sequence<Data>) {
        unsafe handle = copenssl_stack_new()
        for der in certificates {
            guard let certificate = X509Certificate(der: der) else { continue }
            unsafe X509_up_ref(certificate.handle)
            // The stack has taken over a reference, unless there was no memory.
            if unsafe copenssl_stack_push(handle, certificate.handle) == 0 {
                unsafe X509_free(certificate.handle)
            }
        }
    }

    deinit {
        unsafe copenssl_stack_free(handle)
    }
}
