internal import HTTPSemantics
package import HTTPTypes

/// The destination of a WebSocket, and the options of its handshake.
package struct WebSocketRequest: Sendable {
    /// Scheme (`http` or `https`), authority, path and fields.
    package let request: HTTPRequest

    /// The offered subprotocols, the preferred one first.
    package let subprotocols: [String]

    /// Timeouts, TLS, proxies. ``Timeouts/idle`` applies until the server has answered.
    package var options: PreparedOptions

    /// How long the open WebSocket may be idle in both directions; nil for no limit.
    package var idleLimit: Duration?

    /// The maximum duration of the WebSocket, in addition to ``Timeouts/total`` of the options.
    package var timeLimit: Duration?

    /// The server's timeouts: to answer this side's close frame, and to end the connection.
    ///
    /// The second one counts from both close frames; defaults are 10 seconds and 1 second.
    package var closingLimits = (close: Duration.seconds(10), end: Duration.seconds(1))

    /// Creates a request for a `ws` or `wss` URL; `http` and `https` mean the same.
    ///
    /// A `Sec-WebSocket-Protocol` field adds to the subprotocols. The handshake's own fields are
    /// ignored, including extensions: none is supported.
    package init(
        url: String,
        subprotocols: [String] = [],
        fields: HTTPFields = [:],
        options: PreparedOptions
    ) throws(WebSocketError) {
        let request: HTTPRequest
        do throws(TransportError) {
            request = try HTTPRequest(url: Self.plain(url), headerFields: fields)
        } catch {
            throw .connection(error)
        }
        try self.init(request, subprotocols: subprotocols, options: options)
    }

    /// Creates a request from one for `http` or `https`, whose method is ignored.
    package init(
        _ request: HTTPRequest,
        subprotocols: [String] = [],
        options: PreparedOptions
    ) throws(WebSocketError) {
        var request = request
        if let agent = options.options.sentUserAgent, !request.headerFields.contains(.userAgent) {
            request.headerFields[.userAgent] = agent
        }
        let asked = request.headerFields[values: .secWebSocketProtocol].flatMap { value in
            value.split(separator: ",").map(\.trimmingFieldWhitespace)
        }
        self.request = request
        self.subprotocols = subprotocols + asked
        self.options = options
        try check()
    }

    /// Source: RFC 6455, section 4.1.
    private func check() throws(WebSocketError) {
        for (index, name) in subprotocols.enumerated() {
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
                throw .invalidRequest("\"\(name)\" can't be the name of a subprotocol")
            }
            guard !subprotocols[..<index].contains(name) else {
                throw .invalidRequest("the subprotocol \"\(name)\" is named twice")
            }
        }
        let path = request.path ?? "/"
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw .invalidRequest("the path holds a space or control character")
        }
    }

    /// Replaces the scheme with one that libcurl knows.
    private static func plain(_ url: String) -> String {
        let scheme = url.prefix { $0 != ":" }
        let rest = url[scheme.endIndex...]
        return switch scheme.lowercased() {
        case "ws": "http\(rest)"
        case "wss": "https\(rest)"
        default: url
        }
    }

    var isSecure: Bool { request.scheme == "https" }
}
