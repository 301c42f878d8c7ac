internal import CCurl

// Options that take 0 or 1.
extension EasyOption where Value == Bool {
    /// <https://curl.se/libcurl/c/CURLOPT_NOSIGNAL.html>
    package static var noSignal: Self { Self(CURLOPT_NOSIGNAL) }
    /// <https://curl.se/libcurl/c/CURLOPT_NOPROGRESS.html>
    package static var noProgress: Self { Self(CURLOPT_NOPROGRESS) }
    /// <https://curl.se/libcurl/c/CURLOPT_FOLLOWLOCATION.html>
    package static var followLocation: Self { Self(CURLOPT_FOLLOWLOCATION) }
    /// <https://curl.se/libcurl/c/CURLOPT_HTTP09_ALLOWED.html>
    package static var http09Allowed: Self { Self(CURLOPT_HTTP09_ALLOWED) }
    /// <https://curl.se/libcurl/c/CURLOPT_HTTP_CONTENT_DECODING.html>
    package static var contentDecoding: Self { Self(CURLOPT_HTTP_CONTENT_DECODING) }
    /// <https://curl.se/libcurl/c/CURLOPT_PATH_AS_IS.html>
    package static var pathAsIs: Self { Self(CURLOPT_PATH_AS_IS) }
    /// <https://curl.se/libcurl/c/CURLOPT_HTTPGET.html>
    package static var httpGet: Self { Self(CURLOPT_HTTPGET) }
    /// <https://curl.se/libcurl/c/CURLOPT_NOBODY.html>
    package static var noBody: Self { Self(CURLOPT_NOBODY) }
    /// <https://curl.se/libcurl/c/CURLOPT_POST.html>
    package static var post: Self { Self(CURLOPT_POST) }
    /// <https://curl.se/libcurl/c/CURLOPT_PIPEWAIT.html>
    package static var pipeWait: Self { Self(CURLOPT_PIPEWAIT) }
    /// <https://curl.se/libcurl/c/CURLOPT_CONNECT_ONLY.html>
    package static var connectOnly: Self { Self(CURLOPT_CONNECT_ONLY) }
    /// <https://curl.se/libcurl/c/CURLOPT_FORBID_REUSE.html>
    package static var forbidReuse: Self { Self(CURLOPT_FORBID_REUSE) }
    /// <https://curl.se/libcurl/c/CURLOPT_FRESH_CONNECT.html>
    package static var freshConnect: Self { Self(CURLOPT_FRESH_CONNECT) }
    /// <https://curl.se/libcurl/c/CURLOPT_TCP_NODELAY.html>
    package static var tcpNoDelay: Self { Self(CURLOPT_TCP_NODELAY) }
    /// <https://curl.se/libcurl/c/CURLOPT_TCP_KEEPALIVE.html>
    package static var tcpKeepAlive: Self { Self(CURLOPT_TCP_KEEPALIVE) }
    /// <https://curl.se/libcurl/c/CURLOPT_TCP_FASTOPEN.html>
    package static var tcpFastOpen: Self { Self(CURLOPT_TCP_FASTOPEN) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSL_VERIFYPEER.html>
    package static var sslVerifyPeer: Self { Self(CURLOPT_SSL_VERIFYPEER) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSL_ENABLE_ALPN.html>
    package static var sslEnableALPN: Self { Self(CURLOPT_SSL_ENABLE_ALPN) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSL_SESSIONID_CACHE.html>
    package static var sslSessionIDCache: Self { Self(CURLOPT_SSL_SESSIONID_CACHE) }
    /// <https://curl.se/libcurl/c/CURLOPT_CERTINFO.html>
    package static var certInfo: Self { Self(CURLOPT_CERTINFO) }
    /// <https://curl.se/libcurl/c/CURLOPT_HTTPPROXYTUNNEL.html>
    package static var httpProxyTunnel: Self { Self(CURLOPT_HTTPPROXYTUNNEL) }
    /// <https://curl.se/libcurl/c/CURLOPT_SUPPRESS_CONNECT_HEADERS.html>
    package static var suppressConnectHeaders: Self { Self(CURLOPT_SUPPRESS_CONNECT_HEADERS) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_SSL_VERIFYPEER.html>
    package static var proxySSLVerifyPeer: Self { Self(CURLOPT_PROXY_SSL_VERIFYPEER) }
    /// <https://curl.se/libcurl/c/CURLOPT_VERBOSE.html>
    package static var verbose: Self { Self(CURLOPT_VERBOSE) }
    /// <https://curl.se/libcurl/c/CURLOPT_KEEP_SENDING_ON_ERROR.html>
    package static var keepSendingOnError: Self { Self(CURLOPT_KEEP_SENDING_ON_ERROR) }
    /// <https://curl.se/libcurl/c/CURLOPT_QUICK_EXIT.html>, libcurl 7.87
    package static var quickExit: Self {
        Self(number: UInt32(ccurl_option_quick_exit))
    }
}

// Options that take a `long`.
extension EasyOption where Value == Int {
    /// <https://curl.se/libcurl/c/CURLOPT_PROTOCOLS.html>
    package static var protocols: Self { Self(number: UInt32(ccurl_option_protocols)) }
    /// <https://curl.se/libcurl/c/CURLOPT_REDIR_PROTOCOLS.html>
    package static var redirectProtocols: Self {
        Self(number: UInt32(ccurl_option_redirect_protocols))
    }
    /// <https://curl.se/libcurl/c/CURLOPT_NETRC.html>
    package static var netrc: Self { Self(CURLOPT_NETRC) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSL_VERIFYHOST.html>
    package static var sslVerifyHost: Self { Self(CURLOPT_SSL_VERIFYHOST) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_SSL_VERIFYHOST.html>
    package static var proxySSLVerifyHost: Self { Self(CURLOPT_PROXY_SSL_VERIFYHOST) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSLVERSION.html>
    package static var sslVersion: Self { Self(CURLOPT_SSLVERSION) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_SSLVERSION.html>
    package static var proxySSLVersion: Self { Self(CURLOPT_PROXY_SSLVERSION) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSL_OPTIONS.html>
    package static var sslOptions: Self { Self(CURLOPT_SSL_OPTIONS) }
    /// <https://curl.se/libcurl/c/CURLOPT_HTTP_VERSION.html>
    package static var httpVersion: Self { Self(CURLOPT_HTTP_VERSION) }
    /// <https://curl.se/libcurl/c/CURLOPT_HTTPAUTH.html>
    package static var httpAuth: Self { Self(CURLOPT_HTTPAUTH) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXYAUTH.html>
    package static var proxyAuth: Self { Self(CURLOPT_PROXYAUTH) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXYTYPE.html>
    package static var proxyType: Self { Self(CURLOPT_PROXYTYPE) }
    /// <https://curl.se/libcurl/c/CURLOPT_SOCKS5_AUTH.html>
    package static var socks5Auth: Self { Self(CURLOPT_SOCKS5_AUTH) }
    /// <https://curl.se/libcurl/c/CURLOPT_CONNECTTIMEOUT_MS.html>
    package static var connectTimeoutMilliseconds: Self { Self(CURLOPT_CONNECTTIMEOUT_MS) }
    /// <https://curl.se/libcurl/c/CURLOPT_TIMEOUT_MS.html>
    package static var timeoutMilliseconds: Self { Self(CURLOPT_TIMEOUT_MS) }
    /// <https://curl.se/libcurl/c/CURLOPT_EXPECT_100_TIMEOUT_MS.html>
    package static var expect100TimeoutMilliseconds: Self { Self(CURLOPT_EXPECT_100_TIMEOUT_MS) }
    /// <https://curl.se/libcurl/c/CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS.html>
    package static var happyEyeballsTimeoutMilliseconds: Self {
        Self(CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS)
    }
    /// <https://curl.se/libcurl/c/CURLOPT_DNS_CACHE_TIMEOUT.html>
    package static var dnsCacheTimeout: Self { Self(CURLOPT_DNS_CACHE_TIMEOUT) }
    /// <https://curl.se/libcurl/c/CURLOPT_IPRESOLVE.html>
    package static var ipResolve: Self { Self(CURLOPT_IPRESOLVE) }
    /// <https://curl.se/libcurl/c/CURLOPT_LOCALPORT.html>
    package static var localPort: Self { Self(CURLOPT_LOCALPORT) }
    /// <https://curl.se/libcurl/c/CURLOPT_LOCALPORTRANGE.html>
    package static var localPortRange: Self { Self(CURLOPT_LOCALPORTRANGE) }
    /// <https://curl.se/libcurl/c/CURLOPT_TCP_KEEPIDLE.html>
    package static var tcpKeepIdle: Self { Self(CURLOPT_TCP_KEEPIDLE) }
    /// <https://curl.se/libcurl/c/CURLOPT_TCP_KEEPINTVL.html>
    package static var tcpKeepInterval: Self { Self(CURLOPT_TCP_KEEPINTVL) }
    /// <https://curl.se/libcurl/c/CURLOPT_MAXCONNECTS.html>
    package static var maxConnects: Self { Self(CURLOPT_MAXCONNECTS) }
    /// <https://curl.se/libcurl/c/CURLOPT_MAXAGE_CONN.html>
    package static var maxAgeOfConnection: Self { Self(CURLOPT_MAXAGE_CONN) }
    /// <https://curl.se/libcurl/c/CURLOPT_MAXLIFETIME_CONN.html>
    package static var maxLifetimeOfConnection: Self { Self(CURLOPT_MAXLIFETIME_CONN) }
    /// <https://curl.se/libcurl/c/CURLOPT_BUFFERSIZE.html>
    package static var bufferSize: Self { Self(CURLOPT_BUFFERSIZE) }
    /// <https://curl.se/libcurl/c/CURLOPT_UPLOAD_BUFFERSIZE.html>
    package static var uploadBufferSize: Self { Self(CURLOPT_UPLOAD_BUFFERSIZE) }
    /// <https://curl.se/libcurl/c/CURLOPT_HEADEROPT.html>
    package static var headerOptions: Self { Self(CURLOPT_HEADEROPT) }
}

// Options that take a `curl_off_t`.
extension EasyOption where Value == Int64 {
    /// <https://curl.se/libcurl/c/CURLOPT_POSTFIELDSIZE_LARGE.html>
    package static var postFieldSize: Self { Self(CURLOPT_POSTFIELDSIZE_LARGE) }
    /// <https://curl.se/libcurl/c/CURLOPT_MAX_RECV_SPEED_LARGE.html>
    package static var maxReceiveSpeed: Self { Self(CURLOPT_MAX_RECV_SPEED_LARGE) }
    /// <https://curl.se/libcurl/c/CURLOPT_MAX_SEND_SPEED_LARGE.html>
    package static var maxSendSpeed: Self { Self(CURLOPT_MAX_SEND_SPEED_LARGE) }
}

// Options that take a string, which libcurl copies; nil clears it.
extension EasyOption where Value == String? {
    /// <https://curl.se/libcurl/c/CURLOPT_URL.html>
    package static var url: Self { Self(CURLOPT_URL) }
    /// <https://curl.se/libcurl/c/CURLOPT_CUSTOMREQUEST.html>
    package static var customRequest: Self { Self(CURLOPT_CUSTOMREQUEST) }
    /// <https://curl.se/libcurl/c/CURLOPT_USERAGENT.html>
    package static var userAgent: Self { Self(CURLOPT_USERAGENT) }
    /// <https://curl.se/libcurl/c/CURLOPT_ACCEPT_ENCODING.html>
    package static var acceptEncoding: Self { Self(CURLOPT_ACCEPT_ENCODING) }
    /// <https://curl.se/libcurl/c/CURLOPT_REQUEST_TARGET.html>
    package static var requestTarget: Self { Self(CURLOPT_REQUEST_TARGET) }
    /// <https://curl.se/libcurl/c/CURLOPT_CAINFO.html>
    package static var caInfo: Self { Self(CURLOPT_CAINFO) }
    /// <https://curl.se/libcurl/c/CURLOPT_CAPATH.html>
    package static var caPath: Self { Self(CURLOPT_CAPATH) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_CAINFO.html>
    package static var proxyCAInfo: Self { Self(CURLOPT_PROXY_CAINFO) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_CAPATH.html>
    package static var proxyCAPath: Self { Self(CURLOPT_PROXY_CAPATH) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_SSLCERT.html>
    package static var proxySSLCertificate: Self { Self(CURLOPT_PROXY_SSLCERT) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_SSLCERTTYPE.html>
    package static var proxySSLCertificateType: Self { Self(CURLOPT_PROXY_SSLCERTTYPE) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_SSLKEY.html>
    package static var proxySSLKey: Self { Self(CURLOPT_PROXY_SSLKEY) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_KEYPASSWD.html>
    package static var proxyKeyPassword: Self { Self(CURLOPT_PROXY_KEYPASSWD) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_SSL_CIPHER_LIST.html>
    package static var proxySSLCipherList: Self { Self(CURLOPT_PROXY_SSL_CIPHER_LIST) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_TLS13_CIPHERS.html>
    package static var proxyTLS13Ciphers: Self { Self(CURLOPT_PROXY_TLS13_CIPHERS) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSLCERT.html>
    package static var sslCertificate: Self { Self(CURLOPT_SSLCERT) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSLCERTTYPE.html>
    package static var sslCertificateType: Self { Self(CURLOPT_SSLCERTTYPE) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSLKEY.html>
    package static var sslKey: Self { Self(CURLOPT_SSLKEY) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSLKEYTYPE.html>
    package static var sslKeyType: Self { Self(CURLOPT_SSLKEYTYPE) }
    /// <https://curl.se/libcurl/c/CURLOPT_KEYPASSWD.html>
    package static var keyPassword: Self { Self(CURLOPT_KEYPASSWD) }
    /// <https://curl.se/libcurl/c/CURLOPT_PINNEDPUBLICKEY.html>
    package static var pinnedPublicKey: Self { Self(CURLOPT_PINNEDPUBLICKEY) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_PINNEDPUBLICKEY.html>
    package static var proxyPinnedPublicKey: Self { Self(CURLOPT_PROXY_PINNEDPUBLICKEY) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSL_CIPHER_LIST.html>
    package static var sslCipherList: Self { Self(CURLOPT_SSL_CIPHER_LIST) }
    /// <https://curl.se/libcurl/c/CURLOPT_TLS13_CIPHERS.html>
    package static var tls13Ciphers: Self { Self(CURLOPT_TLS13_CIPHERS) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSL_EC_CURVES.html>
    package static var sslCurves: Self { Self(CURLOPT_SSL_EC_CURVES) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY.html>
    package static var proxy: Self { Self(CURLOPT_PROXY) }
    /// <https://curl.se/libcurl/c/CURLOPT_NOPROXY.html>
    package static var noProxy: Self { Self(CURLOPT_NOPROXY) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXYUSERNAME.html>
    package static var proxyUserName: Self { Self(CURLOPT_PROXYUSERNAME) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXYPASSWORD.html>
    package static var proxyPassword: Self { Self(CURLOPT_PROXYPASSWORD) }
    /// <https://curl.se/libcurl/c/CURLOPT_USERNAME.html>
    package static var userName: Self { Self(CURLOPT_USERNAME) }
    /// <https://curl.se/libcurl/c/CURLOPT_PASSWORD.html>
    package static var password: Self { Self(CURLOPT_PASSWORD) }
    /// <https://curl.se/libcurl/c/CURLOPT_XOAUTH2_BEARER.html>
    package static var bearerToken: Self { Self(CURLOPT_XOAUTH2_BEARER) }
    /// <https://curl.se/libcurl/c/CURLOPT_AWS_SIGV4.html>
    package static var awsSigV4: Self { Self(CURLOPT_AWS_SIGV4) }
    /// <https://curl.se/libcurl/c/CURLOPT_INTERFACE.html>
    package static var interface: Self { Self(CURLOPT_INTERFACE) }
    /// <https://curl.se/libcurl/c/CURLOPT_UNIX_SOCKET_PATH.html>
    package static var unixSocketPath: Self { Self(CURLOPT_UNIX_SOCKET_PATH) }
    /// <https://curl.se/libcurl/c/CURLOPT_ABSTRACT_UNIX_SOCKET.html>
    package static var abstractUnixSocket: Self { Self(CURLOPT_ABSTRACT_UNIX_SOCKET) }
}

// Options that take bytes, which libcurl copies.
extension EasyOption where Value == [UInt8] {
    /// <https://curl.se/libcurl/c/CURLOPT_CAINFO_BLOB.html>
    package static var caInfoBlob: Self { Self(CURLOPT_CAINFO_BLOB) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_CAINFO_BLOB.html>
    package static var proxyCAInfoBlob: Self { Self(CURLOPT_PROXY_CAINFO_BLOB) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSLCERT_BLOB.html>
    package static var sslCertificateBlob: Self { Self(CURLOPT_SSLCERT_BLOB) }
    /// <https://curl.se/libcurl/c/CURLOPT_SSLKEY_BLOB.html>
    package static var sslKeyBlob: Self { Self(CURLOPT_SSLKEY_BLOB) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_SSLCERT_BLOB.html>
    package static var proxySSLCertificateBlob: Self { Self(CURLOPT_PROXY_SSLCERT_BLOB) }
    /// <https://curl.se/libcurl/c/CURLOPT_PROXY_SSLKEY_BLOB.html>
    package static var proxySSLKeyBlob: Self { Self(CURLOPT_PROXY_SSLKEY_BLOB) }
    /// <https://curl.se/libcurl/c/CURLOPT_COPYPOSTFIELDS.html>
    package static var copyPostFields: Self { Self(CURLOPT_COPYPOSTFIELDS) }
}
