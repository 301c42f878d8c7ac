package import HTTPTypes

/// Where a WebSocket leads, and what is asked of the server.
package struct WebSocketRequest: Sendable {
    /// Scheme (`http` or `https`), authority, path and fields.
    package let request: HTTPRequest

    /// The subprotocols to choose from, the preferred one first.
    package let subprotocols: [String]

    /// Time limits, TLS, proxies. ``Timeouts/idle`` counts until the server has answered.
    package var options: PreparedOptions

    /// How long no byte may move once the WebSocket is open; nil: as long as it pleases.
    package var idleLimit: Duration?

    /// How long it may last in all, beside ``Timeouts/total`` of the options.
    package var timeLimit: Duration?

    /// How long the server has to close after this side has, and to end the connection after both.
    package var closingLimits = (close: Duration.seconds(10), end: Duration.seconds(1))

    /// Creates a request for a `ws` or `wss` URL; `http` and `https` mean the same.
    ///
    /// A field `Sec-WebSocket-Protocol` adds to the subprotocols. Fields that the handshake itself
    /// consists of are left out, extensions among them: none is known here.
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

    /// Creates a request of one to `http` or `https`, whose method is of no consequence.
    package init(
        _ request: HTTPRequest,
        subprotocols: [String] = [],
        options: PreparedOptions
    ) throws(WebSocketError) {
        var request = request
        if let agent = options.options.userAgent, !request.headerFields.contains(.userAgent) {
            request.headerFields[.userAgent] = agent
        }
        let asked = request.headerFields[values: .secWebSocketProtocol].flatMap { value in
            value.split(separator: ",").map { $0.trimmedOfBlanks }
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

    /// The URL in a scheme that libcurl knows.
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

extension Substring {
    /// The text without spaces and tabs around it.
    var trimmedOfBlanks: String {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        var text = drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return String(text)
    }
}
