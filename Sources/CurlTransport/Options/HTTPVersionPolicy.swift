/// The HTTP version that a request is sent with.
///
/// See <https://curl.se/libcurl/c/CURLOPT_HTTP_VERSION.html>.
public enum HTTPVersionPolicy: Sendable, Hashable {
    /// HTTP/1.1 in the clear. Over TLS, HTTP/2 is offered as well where
    /// ``offersHTTP2ByDefault`` is true, and the server chooses.
    case automatic

    /// HTTP/1.1 and nothing else.
    case http1

    /// Over TLS, HTTP/2 and HTTP/1.1 are offered and the server chooses. In the clear, HTTP/1.1.
    ///
    /// With a libcurl before 8.0, two things go wrong: where a server resets a stream with
    /// `NO_ERROR` in the middle of a body without a `Content-Length`, the transfer ends as if the
    /// body were whole; and where it answers a large upload without reading it, the transfer takes
    /// processor time until its idle limit has passed.
    ///
    /// A configuration error where libcurl has no HTTP/2.
    case http2

    /// HTTP/2 without asking, also in the clear.
    ///
    /// For servers that are known to speak it. In the clear, a libcurl before 8.0 fails on the
    /// second request of such a connection, so there each request gets a connection of its own.
    /// A configuration error where libcurl has no HTTP/2.
    case http2PriorKnowledge

    /// HTTP/3, or an earlier version if that connection can't be made. `https` only.
    ///
    /// A configuration error where libcurl has no HTTP/3.
    case http3
}
