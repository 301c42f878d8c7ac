internal import Curl

extension TransferOptions {
    /// The default of ``userAgent``: this library and the libcurl that runs, by their versions.
    public static let defaultUserAgent = "CurlNetworking/0.1 libcurl/\(CurlVersion.current.text)"
}

extension HTTPVersionPolicy {
    /// Whether ``http3`` can be asked for: where libcurl has HTTP/3.
    public static let offersHTTP3 = CurlVersion.current.supportsHTTP3

    /// Whether ``automatic`` offers HTTP/2 over TLS: from libcurl 8.0 on, where it has HTTP/2.
    ///
    /// Earlier versions can take a stream that the server reset for one that ended.
    public static let offersHTTP2ByDefault =
        CurlVersion.current.supportsHTTP2 && CurlVersion.current.isAtLeast(8, 0)
}
