internal import CCurl

/// Owns a `CURLSH*`, which caches TLS sessions and resolved names for transfers of one loop.
///
/// Without it, libcurl caches a TLS session only in the easy handle, and names in the multi handle.
/// Shared, the next transfer to the same host can resume the session. Used by one thread only, so it
/// needs no locks. See <https://curl.se/libcurl/c/libcurl-share.html>.
@safe
package struct ShareHandle: ~Copyable {
    let pointer: OpaquePointer

    package init() throws(CurlCode) {
        guard CurlGlobal.initialisation == .ok, let pointer = unsafe ccurl_share_init() else {
            throw CurlCode.failedInit
        }
        unsafe self.pointer = pointer
        _ = unsafe ccurl_share_add(pointer, CURL_LOCK_DATA_SSL_SESSION)
        _ = unsafe ccurl_share_add(pointer, CURL_LOCK_DATA_DNS)
    }

    deinit {
        unsafe ccurl_share_cleanup(pointer)
    }
}
