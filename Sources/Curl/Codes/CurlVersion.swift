import CCurl
internal import Synchronization

/// libcurl's process-wide state, which is initialised once and never cleaned up.
///
/// `curl_global_cleanup` is never called: other code of the process may use libcurl, too, and loop
/// threads may still run while the process exits. For the same reason, OpenSSL is configured before
/// to install no `atexit` handler. See <https://curl.se/libcurl/c/curl_global_init.html>.
package enum CurlGlobal {
    private static let hasBegun = Atomic(false)

    /// Whether ``initialisation`` has been used.
    package static var isInitialised: Bool { hasBegun.load(ordering: .acquiring) }

    /// The result of `curl_global_init`, which the first use calls on its thread.
    ///
    /// libcurl reads the environment variable `SSLKEYLOGFILE` then.
    package static let initialisation: CurlCode = {
        hasBegun.store(true, ordering: .releasing)
        ccurl_keep_openssl_at_exit()
        return CurlCode(rawValue: Int32(curl_global_init(Int(CURL_GLOBAL_ALL)).rawValue))
    }()

    /// Makes verbose handles report HTTP/2 frames and HTTP/3 streams, from the first use on.
    ///
    /// False if libcurl is older than 8.3. See <https://curl.se/libcurl/c/curl_global_trace.html>.
    package static let tracesStreams: Bool = {
        guard initialisation == .ok else { return false }
        return unsafe ccurl_global_trace("http/2,http/3") == CURLE_OK
    }()
}

/// The version and features of the installed libcurl, read once.
///
/// See <https://curl.se/libcurl/c/curl_version_info.html>.
package final class CurlVersion: Sendable {
    /// The version of the running process.
    package static let current = CurlVersion()

    /// `0xXXYYZZ`, as in `LIBCURL_VERSION_NUM`.
    package let number: UInt32

    /// The version as text, such as `7.88.1`.
    package let text: String

    /// The TLS library's name and version, such as `OpenSSL/3.0.19`; nil without TLS.
    package let tlsLibrary: String?

    package let supportsHTTP2: Bool
    package let supportsHTTP3: Bool

    /// Whether libcurl supports HTTP/3 with OpenSSL's own QUIC, not ngtcp2 or quiche.
    package let usesOpenSSLQUIC: Bool

    package let resolvesAsynchronously: Bool
    package let supportsHTTPSProxy: Bool
    package let supportsNTLM: Bool
    package let supportsNegotiate: Bool
    package let supportsUnixSockets: Bool

    private init() {
        _ = CurlGlobal.initialisation
        let info = unsafe ccurl_version_info()
        let features = unsafe UInt32(truncatingIfNeeded: info.pointee.features)
        func has(_ bit: Int32) -> Bool { features & UInt32(truncatingIfNeeded: bit) != 0 }
        number = unsafe info.pointee.version_num
        text = unsafe String(cString: info.pointee.version)
        tlsLibrary = unsafe info.pointee.ssl_version.map { unsafe String(cString: $0) }
        supportsHTTP2 = has(CURL_VERSION_HTTP2)
        supportsHTTP3 = has(CURL_VERSION_HTTP3)
        let quic = unsafe info.pointee.quic_version.map { unsafe String(cString: $0) } ?? ""
        usesOpenSSLQUIC = supportsHTTP3 && !quic.hasPrefix("ngtcp2") && !quic.hasPrefix("quiche")
        resolvesAsynchronously = has(CURL_VERSION_ASYNCHDNS)
        supportsHTTPSProxy = has(CURL_VERSION_HTTPS_PROXY)
        supportsNTLM = has(CURL_VERSION_NTLM)
        supportsNegotiate = has(CURL_VERSION_SPNEGO)
        supportsUnixSockets = has(CURL_VERSION_UNIX_SOCKETS)
    }

    /// Whether ``CurlGlobal/tracesStreams`` is possible. Versions before 8.3 have no trace.
    package var canTraceStreams: Bool { isAtLeast(8, 3) }

    /// Whether a reused easy handle needs ``FirstFieldGuard``.
    var keepsFreedField: Bool { isAtLeast(7, 83) && !isAtLeast(8, 1) }

    /// Whether this is at least version `major.minor.patch`.
    package func isAtLeast(_ major: UInt32, _ minor: UInt32 = 0, _ patch: UInt32 = 0) -> Bool {
        number >= major << 16 | minor << 8 | patch
    }
}
