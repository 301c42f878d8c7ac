internal import CCurl

// Bytes over the connection of a handle that does nothing but connect. The handle has to stay in its
// multi handle meanwhile: removing it closes the connection.

extension EasyHandle {
    /// Receives what has come, as much as fits into `buffer`, which is overwritten from its start.
    ///
    /// `.again` means that nothing is there yet, and `.ok` with a count of zero that the peer sends
    /// nothing more. The TLS library may hold bytes that the socket doesn't show: only after `.again`
    /// is it right to wait for the socket. The first call takes the connection into use, so that
    /// libcurl doesn't count it among those that are idle.
    /// See <https://curl.se/libcurl/c/curl_easy_recv.html>.
    package borrowing func receive(into buffer: inout [UInt8]) -> (code: CurlCode, count: Int) {
        var count = 0
        let code = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe curl_easy_recv(pointer, bytes.baseAddress, bytes.count, &count)
        }
        return (CurlCode(rawValue: Int32(code.rawValue)), count)
    }

    /// Sends as much of `bytes` as goes at once.
    ///
    /// After `.again` the same bytes at the same place have to be sent again, and not fewer of them:
    /// a part of them may be in a TLS record already.
    /// See <https://curl.se/libcurl/c/curl_easy_send.html>.
    package borrowing func send(_ bytes: Span<UInt8>) -> (code: CurlCode, count: Int) {
        var count = 0
        let code = unsafe bytes.withUnsafeBytes { bytes in
            unsafe curl_easy_send(pointer, bytes.baseAddress, bytes.count, &count)
        }
        return (CurlCode(rawValue: Int32(code.rawValue)), count)
    }
}
