import CCurl

/// What the libcurl that this process runs with can do, read once.
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
    package let resolvesAsynchronously: Bool
    package let isThreadSafe: Bool
    package let supportsHTTPSProxy: Bool
    package let supportsNTLM: Bool
    package let supportsNegotiate: Bool
    package let supportsUnixSockets: Bool

    /// The codings that libcurl asks for and decodes where it is told to take all it knows, in its own
    /// order; empty without any. See <https://curl.se/libcurl/c/CURLOPT_ACCEPT_ENCODING.html>.
    package let contentCodings: String

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
        resolvesAsynchronously = has(CURL_VERSION_ASYNCHDNS)
        isThreadSafe = has(CURL_VERSION_THREADSAFE)
        supportsHTTPSProxy = has(CURL_VERSION_HTTPS_PROXY)
        supportsNTLM = has(CURL_VERSION_NTLM)
        supportsNegotiate = has(CURL_VERSION_SPNEGO)
        supportsUnixSockets = has(CURL_VERSION_UNIX_SOCKETS)
        contentCodings = [
            (CURL_VERSION_LIBZ, "deflate, gzip"), (CURL_VERSION_BROTLI, "br"),
            (CURL_VERSION_ZSTD, "zstd"),
        ].filter { has($0.0) }.map(\.1).joined(separator: ", ")
    }

    /// Whether this is at least version `major.minor.patch`.
    package func isAtLeast(_ major: UInt32, _ minor: UInt32, _ patch: UInt32 = 0) -> Bool {
        number >= major << 16 | minor << 8 | patch
    }
}
