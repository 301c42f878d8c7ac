internal import Curl

/// The HTTP version of a request.
///
/// See <https://curl.se/libcurl/c/CURLOPT_HTTP_VERSION.html>.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum HTTPVersionPolicy: Sendable, Hashable {
    /// HTTP/1.1 without TLS. Over TLS, the server chooses.
    ///
    /// HTTP/2 is offered, too, if ``offersHTTP2ByDefault`` is true.
    case automatic

    /// Only HTTP/1.1.
    case http1

    /// Offers HTTP/2 and HTTP/1.1 over TLS; the server chooses. HTTP/1.1 without TLS.
    ///
    /// Before libcurl 8.3, a reset of the stream with `NO_ERROR` in the middle of a body without a
    /// `Content-Length` looks like the end of the body; on a busy machine, so does sometimes a GOAWAY
    /// that excludes the stream. Before 8.0, so does a protocol violation of the connection. Also
    /// before 8.0, a large upload that the server responds to without reading it uses processor
    /// time until its idle timeout passes.
    ///
    /// If libcurl was built without HTTP/2, this is a configuration error.
    case http2

    /// HTTP/2 without negotiation, with and without TLS.
    ///
    /// For servers that are known to support it. Without TLS, libcurl before 8.0 fails on the
    /// second request of such a connection, so each request then gets its own connection. If
    /// libcurl was built without HTTP/2, this is a configuration error.
    case http2PriorKnowledge

    /// HTTP/3, or an earlier version if the QUIC connection fails. `https` only.
    ///
    /// The earlier version is tried after 200 milliseconds without a QUIC connection, or when that
    /// has failed (``TransferOptions/happyEyeballsDelay`` changes the time). Nothing is sent before
    /// the handshake is complete (no 0-RTT).
    ///
    /// With OpenSSL's own QUIC, as on Debian 13, a response may stall until its idle timeout
    /// passes, mostly while the body of another transfer isn't being read. There, libcurl delivers
    /// trailers as the end of the body and doesn't report the cipher. A response without a
    /// `Content-Length` and with trailers is an error there, and a connection is closed after a
    /// response that wasn't read to its end.
    ///
    /// If libcurl was built without HTTP/3, this is a configuration error: see ``offersHTTP3``.
    case http3
}

extension HTTPVersionPolicy {
    /// Whether ``http3`` can be used: whether libcurl supports HTTP/3.
    public static let offersHTTP3 = CurlVersion.current.supportsHTTP3

    /// Whether ``automatic`` offers HTTP/2 over TLS.
    ///
    /// True with libcurl 8.3 or later that supports HTTP/2. Earlier versions may report a stream
    /// that the server reset as one that ended. Later versions may, too, but tell which it was.
    public static let offersHTTP2ByDefault =
        CurlVersion.current.supportsHTTP2 && CurlVersion.current.canTraceStreams
}
