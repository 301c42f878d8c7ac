internal import COpenSSL
internal import Foundation

/// What OpenSSL finds on the way from a server's certificate to one that is trusted (RFC 5280, 6).
struct CertificatePath {
    /// One of `X509_V_ERR_…`; 0 for a path that is good.
    let code: Int32
    /// OpenSSL's words for the code.
    let reason: String
    /// The certificates from the server's own to the trusted one, DER-encoded, as far as was found.
    let certificates: [Data]

    /// Looks for a path and checks it.
    init(_ question: PathQuestion) {
        guard let leaf = question.presented.first.flatMap({ X509Certificate(der: $0) }) else {
            self.init(code: X509_V_ERR_UNSPECIFIED, certificates: [])
            return
        }
        self.init(
            question,
            leaf,
            CertificateStore(question.anchors),
            CertificateStack(question.presented.dropFirst())
        )
    }

    private init(
        _ question: PathQuestion,
        _ leaf: borrowing X509Certificate,
        _ store: borrowing CertificateStore,
        _ others: borrowing CertificateStack
    ) {
        defer { ERR_clear_error() }
        let context = unsafe X509_STORE_CTX_new()
        defer { unsafe X509_STORE_CTX_free(context) }
        guard unsafe X509_STORE_CTX_init(context, store.handle, leaf.handle, others.handle) == 1,
            let rules = unsafe X509_STORE_CTX_get0_param(context),
            unsafe Self.apply(question, to: rules)
        else {
            self.init(code: X509_V_ERR_UNSPECIFIED, certificates: [])
            return
        }
        let isGood = unsafe X509_verify_cert(context) == 1
        let code = unsafe X509_STORE_CTX_get_error(context)
        let found = unsafe X509_STORE_CTX_get0_chain(context)
        let count = unsafe found == nil ? 0 : copenssl_stack_count(found)
        let certificates = (0..<max(count, 0)).compactMap { index in
            unsafe copenssl_stack_value(found, index).flatMap { unsafe X509Certificate.encoded($0) }
        }
        // A failure without a code is one nevertheless.
        self.init(
            code: isGood || code != X509_V_OK ? code : X509_V_ERR_UNSPECIFIED,
            certificates: certificates
        )
    }

    private init(code: Int32, certificates: [Data]) {
        self.code = code
        reason = unsafe String(cString: X509_verify_cert_error_string(Int(code)))
        self.certificates = certificates
    }

    /// False where OpenSSL can't do what is asked, for want of memory or for a host that is none.
    private static func apply(_ question: PathQuestion, to rules: OpaquePointer) -> Bool {
        var flags = UInt(X509_V_FLAG_PARTIAL_CHAIN) | UInt(X509_V_FLAG_TRUSTED_FIRST)
        if !question.checksTime { flags |= UInt(X509_V_FLAG_NO_CHECK_TIME) }
        guard unsafe X509_VERIFY_PARAM_set_flags(rules, flags) == 1 else { return false }
        // No keys and signatures that can be broken, such as MD5's: by itself OpenSSL takes all here.
        unsafe X509_VERIFY_PARAM_set_auth_level(rules, 1)
        if let date = question.date, question.checksTime {
            let seconds = date.timeIntervalSince1970.rounded(.down)
            guard let time = time_t(exactly: seconds) else { return false }
            unsafe X509_VERIFY_PARAM_set_time(rules, time)
        }
        if question.isForServers {
            guard unsafe X509_VERIFY_PARAM_set_purpose(rules, X509_PURPOSE_SSL_SERVER) == 1 else {
                return false
            }
        }
        guard let host = question.host else { return true }
        if unsafe X509_VERIFY_PARAM_set1_ip_asc(rules, host) == 1 { return true }
        unsafe X509_VERIFY_PARAM_set_hostflags(
            rules,
            UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        )
        return unsafe X509_VERIFY_PARAM_set1_host(rules, host, 0) == 1
    }
}
