internal import CCurl
internal import Glibc
package import Posix

/// A `CURLINFO_` value together with its type.
///
/// See <https://curl.se/libcurl/c/easy_getinfo_options.html>.
package struct EasyInfo<Value>: Sendable {
    let info: CURLINFO

    init(_ info: CURLINFO) {
        self.info = info
    }
}

extension EasyInfo where Value == Int {
    package static var httpConnectCode: Self { Self(CURLINFO_HTTP_CONNECTCODE) }
    package static var httpVersion: Self { Self(CURLINFO_HTTP_VERSION) }
    package static var numConnects: Self { Self(CURLINFO_NUM_CONNECTS) }
    package static var osErrno: Self { Self(CURLINFO_OS_ERRNO) }
    package static var sslVerifyResult: Self { Self(CURLINFO_SSL_VERIFYRESULT) }
    package static var proxyError: Self { Self(CURLINFO_PROXY_ERROR) }
    package static var primaryPort: Self { Self(CURLINFO_PRIMARY_PORT) }
    package static var localPort: Self { Self(CURLINFO_LOCAL_PORT) }
    package static var requestSize: Self { Self(CURLINFO_REQUEST_SIZE) }
    package static var headerSize: Self { Self(CURLINFO_HEADER_SIZE) }
}

/// Times are in microseconds since libcurl started the transfer, sizes in bytes.
extension EasyInfo where Value == Int64 {
    package static var nameLookupTime: Self { Self(CURLINFO_NAMELOOKUP_TIME_T) }
    package static var connectTime: Self { Self(CURLINFO_CONNECT_TIME_T) }
    package static var appConnectTime: Self { Self(CURLINFO_APPCONNECT_TIME_T) }
    package static var preTransferTime: Self { Self(CURLINFO_PRETRANSFER_TIME_T) }
    package static var startTransferTime: Self { Self(CURLINFO_STARTTRANSFER_TIME_T) }
    package static var sizeUpload: Self { Self(CURLINFO_SIZE_UPLOAD_T) }
    package static var sizeDownload: Self { Self(CURLINFO_SIZE_DOWNLOAD_T) }
}

extension EasyInfo where Value == String? {
    package static var primaryIP: Self { Self(CURLINFO_PRIMARY_IP) }
    package static var localIP: Self { Self(CURLINFO_LOCAL_IP) }
}

extension EasyHandle {
    /// The value of `info`; nil if libcurl has none.
    package borrowing func get(_ info: EasyInfo<Int>) -> Int? {
        var value = 0
        return unsafe ccurl_easy_getinfo_long(pointer, info.info, &value) == CURLE_OK ? value : nil
    }

    package borrowing func get(_ info: EasyInfo<Int64>) -> Int64? {
        var value: curl_off_t = 0
        let code = unsafe ccurl_easy_getinfo_off_t(pointer, info.info, &value)
        return code == CURLE_OK ? Int64(value) : nil
    }

    package borrowing func get(_ info: EasyInfo<String?>) -> String? {
        var value: UnsafePointer<CChar>?
        guard unsafe ccurl_easy_getinfo_string(pointer, info.info, &value) == CURLE_OK,
            let value = unsafe value
        else { return nil }
        return unsafe String(cString: value)
    }

    /// The address in `info`; empty if libcurl has none.
    package borrowing func address(_ info: EasyInfo<String?>) -> AddressText {
        var value: UnsafePointer<CChar>?
        guard unsafe ccurl_easy_getinfo_string(pointer, info.info, &value) == CURLE_OK,
            let value = unsafe value
        else { return AddressText() }
        let length = unsafe strnlen(value, AddressText.maximumLength)
        return unsafe AddressText(UnsafeRawBufferPointer(start: value, count: length))
    }

    /// The descriptor of the current connection; nil if there is none.
    ///
    /// See <https://curl.se/libcurl/c/CURLINFO_ACTIVESOCKET.html>.
    package var activeSocket: Int32? {
        var socket: curl_socket_t = -1
        let code = unsafe ccurl_easy_getinfo_socket(pointer, CURLINFO_ACTIVESOCKET, &socket)
        return code == CURLE_OK && socket >= 0 ? socket : nil
    }

    /// The TLS version and cipher of the current connection; nil if unknown.
    ///
    /// Nil without a connection, or if libcurl's TLS library doesn't report them. Valid while the
    /// connection is attached. See <https://curl.se/libcurl/c/CURLINFO_TLS_SSL_PTR.html>.
    package var tls: TLSInfo? {
        var version: UnsafePointer<CChar>?
        var cipher: UnsafePointer<CChar>?
        var functions = OpenSSL.functions
        guard unsafe ccurl_tls_info(pointer, &functions, &version, &cipher),
            let version = unsafe version, let cipher = unsafe cipher
        else { return nil }
        return unsafe context.tls(version: version, cipher: cipher)
    }

    /// Whether the TLS library buffers bytes of the current connection that weren't delivered.
    ///
    /// False if the library doesn't report it. Valid while the connection is attached. See
    /// `SSL_has_pending(3)`.
    package var hasUnreadTLSBytes: Bool {
        var functions = OpenSSL.functions
        return unsafe ccurl_tls_has_pending(pointer, &functions)
    }

    /// Whether the server of the current connection has requested a client certificate.
    ///
    /// False if the TLS library doesn't report it, and for a resumed session. Valid while the
    /// connection is attached. See `SSL_get_sigalgs(3)`.
    package var isCertificateRequested: Bool {
        var functions = OpenSSL.functions
        return unsafe ccurl_tls_requests_certificate(pointer, &functions)
    }

    /// What ALPN (RFC 7301) has agreed on for the current connection.
    ///
    /// Unknown if the TLS library doesn't report it, over QUIC, and without TLS. Valid while the
    /// connection is attached. See `SSL_get0_alpn_selected(3)`.
    package var agreedProtocol: AgreedProtocol {
        var functions = OpenSSL.functions
        return switch unsafe ccurl_tls_alpn(pointer, &functions) {
        case CCURL_ALPN_NONE: .noProtocol
        case CCURL_ALPN_HTTP1: .http1
        case CCURL_ALPN_OTHER: .other
        default: .unknown
        }
    }

    /// The server's certificates as libcurl's `name:value` lines, the server's own first.
    ///
    /// Empty if ``EasyOption/certInfo`` is off or the connection was reused. See
    /// <https://curl.se/libcurl/c/CURLINFO_CERTINFO.html>.
    package var certificates: [[String]] {
        var raw: UnsafeMutableRawPointer?
        guard unsafe ccurl_easy_getinfo_pointer(pointer, CURLINFO_CERTINFO, &raw) == CURLE_OK,
            let info = unsafe raw?.assumingMemoryBound(to: curl_certinfo.self).pointee
        else { return [] }
        var certificates: [[String]] = []
        for index in 0..<Int(unsafe info.num_of_certs) {
            var lines: [String] = []
            var node = unsafe info.certinfo[index]
            while let current = unsafe node {
                if let text = unsafe current.pointee.data {
                    unsafe lines.append(String(cString: text))
                }
                unsafe node = current.pointee.next
            }
            certificates.append(lines)
        }
        return certificates
    }
}

/// OpenSSL's functions, found once: finding one costs more than calling it.
private enum OpenSSL {
    static let functions = ccurl_openssl_find()
}

/// The protocol that a TLS connection has agreed on.
package enum AgreedProtocol: Sendable {
    case unknown
    case noProtocol
    case http1
    /// HTTP/2 or newer.
    case other
}

/// The result of a TLS handshake.
package struct TLSInfo: Sendable, Hashable {
    /// OpenSSL's name of the version, such as `TLSv1.3`.
    package let version: String

    /// OpenSSL's name of the cipher suite, such as `TLS_AES_256_GCM_SHA384`; empty if unknown.
    package let cipher: String

    /// The value for QUIC, which requires TLS 1.3 (RFC 9001, section 4.2).
    ///
    /// libcurl doesn't query OpenSSL's QUIC for it.
    package static let quic = TLSInfo(version: "TLSv1.3", cipher: "")

    package init(version: String, cipher: String) {
        self.version = version
        self.cipher = cipher
    }
}
