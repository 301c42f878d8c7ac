import CCurl

/// libcurl's process-wide state: set up once, never torn down.
///
/// `curl_global_cleanup` is never called: other code of the process may use libcurl too, and loop
/// threads may still run while the process exits. For the same reason OpenSSL is told beforehand
/// to leave its `atexit` handler out. See <https://curl.se/libcurl/c/curl_global_init.html>.
package enum CurlGlobal {
    /// The answer of `curl_global_init`, called on first use, from whichever thread that is.
    package static let initialisation: CurlCode = {
        ccurl_keep_openssl_at_exit()
        return CurlCode(rawValue: Int32(curl_global_init(Int(CURL_GLOBAL_ALL)).rawValue))
    }()
}
