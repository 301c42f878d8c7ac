internal import CCurl

/// Owner of a `CURLSH*` that keeps TLS sessions for the transfers of one loop.
///
/// libcurl keeps a TLS session with the easy handle; shared, the next transfer to the same host
/// resumes it. Used by one thread only, so it needs no locks.
/// See <https://curl.se/libcurl/c/libcurl-share.html>.
@safe
package struct ShareHandle: ~Copyable {
    let pointer: OpaquePointer

    package init() throws(CurlCode) {
        guard CurlGlobal.initialisation == .ok, let pointer = unsafe curl_share_init() else {
            throw CurlCode.failedInit
        }
        unsafe self.pointer = pointer
        _ = unsafe ccurl_share_add(pointer, CURL_LOCK_DATA_SSL_SESSION)
    }

    deinit {
        unsafe curl_share_cleanup(pointer)
    }
}
