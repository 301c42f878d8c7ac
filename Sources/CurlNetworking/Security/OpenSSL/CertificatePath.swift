internal import COpenSSL
internal import Foundation

/// The input for validating the certificates of a server.
struct PathQuestion {
    /// The server's certificates, DER-encoded, its own first. The others may be intermediates.
    var presented: [Data]
    /// The certificates at which a path may end, DER-encoded.
    ///
    /// They may be certificates of servers, too.
    var anchors: Set<Data>
    /// The host that the server's certificate must name; `nil` for any.
    ///
    /// It must be an alternative name (RFC 9525, 6.3), or an address without brackets.
    var host: String?
    /// Whether certificates must be valid for TLS servers.
    var isForServers = true
    /// The date at which they must be valid; `nil` for now.
    var date: Date?
    /// Whether validity dates are checked.
    var checksTime = true
}

/// The result of OpenSSL's certificate path validation (RFC 5280, 6).
///
/// A path leads from a server's certificate to an anchor.
struct CertificatePath {
    /// One of `X509_V_ERR_…`; 0 for a valid path.
    let code: Int32
    /// OpenSSL's description of the code.
    let reason: String
    /// The found part of the path, server's certificate first, DER-encoded.
    let certificates: [Data]

    /// Builds a path and validates it.
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
        // Treats a failure without a code as a failure.
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

    /// Sets the verification parameters.
    ///
    /// It returns `false` if memory is exhausted or the host is invalid.
    private static func apply(_ question: PathQuestion, to rules: OpaquePointer) -> Bool {
        var flags = UInt(X509_V_FLAG_PARTIAL_CHAIN) | UInt(X509_V_FLAG_TRUSTED_FIRST)
        if !question.checksTime { flags |= UInt(X509_V_FLAG_NO_CHECK_TIME) }
        guard unsafe X509_VERIFY_PARAM_set_flags(rules, flags) == 1 else { return false }
        // Level 1 rejects weak keys and signatures, such as MD5; OpenSSL's default here allows all.
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
