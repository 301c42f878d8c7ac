internal import HTTPSemantics
package import HTTPTypes

/// The opening handshake: creates the request and validates the server's response.
///
/// Source: RFC 6455, sections 4.1 and 4.2.2.
package struct WebSocketHandshake: Sendable {
    /// The nonce that the server's response has to prove receiving.
    let key: String
    let subprotocols: [String]

    /// Fields that the handshake sets itself, or that describe content, which the request doesn't
    /// have.
    private static let ownFields: Set<String> = [
        "host", "connection", "upgrade", "sec-websocket-key", "sec-websocket-version",
        "sec-websocket-protocol", "sec-websocket-extensions", "sec-websocket-accept",
        "content-length", "transfer-encoding",
    ]

    package init(
        subprotocols: [String],
        using generator: inout some RandomNumberGenerator
    ) {
        let nonce = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        key = Base64.encode(nonce)
        self.subprotocols = subprotocols
    }

    /// The value of `Sec-WebSocket-Accept` that the server must send for `key`.
    ///
    /// Empty if the system's configuration forbids SHA-1. The digest protects no secret.
    package static func accept(for key: String) -> String {
        let text = "\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Base64.encode(MessageDigest.of(Array(text.utf8), .sha1))
    }

    // MARK: Request

    /// The bytes of the request.
    package func head(for request: HTTPRequest) -> [UInt8] {
        let named = request.headerFields.first { $0.name.canonicalName == "host" }
        let host = named?.value ?? request.authority ?? ""
        var text = """
            GET \(request.path ?? "/") HTTP/1.1\r
            Host: \(host)\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Key: \(key)\r
            Sec-WebSocket-Version: 13\r

            """
        if !subprotocols.isEmpty {
            text += "Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))\r\n"
        }
        for field in request.headerFields where !Self.ownFields.contains(field.name.canonicalName) {
            text += "\(field.name.rawName): \(field.value)\r\n"
        }
        return Array("\(text)\r\n".utf8)
    }

    // MARK: Response

    /// Validates the server's response. Returns the chosen subprotocol; nil for none.
    package func check(_ head: ResponseHead) throws(WebSocketError) -> String? {
        func refuse(_ reason: String) -> WebSocketError {
            .refused(statusCode: head.statusCode, reason)
        }
        guard head.statusCode == 101 else {
            throw refuse("the server answered with the status \(head.statusCode) instead of 101")
        }
        guard head.httpVersion == "1.1" else {
            throw refuse("the server answered in HTTP/\(head.httpVersion)")
        }
        let fields = head.headerFields
        guard fields.hasToken("websocket", in: .upgrade) else {
            throw refuse("the server's answer doesn't upgrade to a WebSocket")
        }
        guard fields.hasToken("upgrade", in: .connection) else {
            throw refuse("the Connection field of the server's answer doesn't say Upgrade")
        }
        let accept = Self.accept(for: key)
        guard !accept.isEmpty else {
            throw refuse("the system's configuration forbids SHA-1, which the handshake needs")
        }
        guard fields[values: .secWebSocketAccept] == [accept] else {
            throw refuse(
                "the Sec-WebSocket-Accept field of the server's answer is not for this key"
            )
        }
        guard fields[values: .secWebSocketExtensions].allSatisfy({ $0.isEmpty }) else {
            throw refuse("the server uses an extension that the client didn't offer")
        }
        let chosen = fields[values: .secWebSocketProtocol]
        guard let name = chosen.first else { return nil }
        guard chosen.count == 1, subprotocols.contains(name) else {
            throw refuse(
                "the server chose the subprotocol \"\(name)\", which the client didn't offer"
            )
        }
        return name
    }
}

extension HTTPFields {
    /// Whether a list field contains this token, compared without case.
    fileprivate func hasToken(_ token: String, in name: HTTPField.Name) -> Bool {
        self[values: name].contains { value in
            value.split(separator: ",").contains {
                $0.trimmingFieldWhitespace.lowercased() == token
            }
        }
    }
}
