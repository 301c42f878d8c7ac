internal import CCurl

// Transfers bytes over the connection of a connect-only handle. The handle must stay in its multi
// handle meanwhile: removing it closes the connection.

extension EasyHandle {
    /// Receives available bytes into `buffer`, which is overwritten from its start.
    ///
    /// `.again` means that no bytes are available yet, and `.ok` with a count of zero that the peer
    /// sends no more. The TLS library may hold bytes that the socket doesn't show, so wait for the
    /// socket only after `.again`. The first call marks the connection as used, so that libcurl
    /// doesn't count it as idle. See <https://curl.se/libcurl/c/curl_easy_recv.html>.
    package borrowing func receive(into buffer: inout [UInt8]) -> (code: CurlCode, count: Int) {
        var count = 0
        let code = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe ccurl_easy_recv(pointer, bytes.baseAddress, bytes.count, &count)
        }
        return (CurlCode(rawValue: Int32(code.rawValue)), count)
    }

    /// Sends as many of `bytes` as possible without blocking.
    ///
    /// After `.again`, send the same bytes from the same address again, and not fewer: a part of
    /// them may already be in a TLS record. See <https://curl.se/libcurl/c/curl_easy_send.html>.
    package borrowing func send(_ bytes: Span<UInt8>) -> (code: CurlCode, count: Int) {
        var count = 0
        let code = unsafe bytes.withUnsafeBytes { bytes in
            unsafe ccurl_easy_send(pointer, bytes.baseAddress, bytes.count, &count)
        }
        return (CurlCode(rawValue: Int32(code.rawValue)), count)
    }
}
