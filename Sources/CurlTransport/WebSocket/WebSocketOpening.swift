/// What the opening of a WebSocket needs: what is asked, and how far the answer has come.
struct WebSocketOpening: Sendable {
    let request: WebSocketRequest
    private let handshake: WebSocketHandshake
    private var reader: WebSocketHeadReader

    init(_ request: WebSocketRequest, using generator: inout some RandomNumberGenerator) {
        self.request = request
        handshake = WebSocketHandshake(subprotocols: request.subprotocols, using: &generator)
        reader = WebSocketHeadReader(limits: request.options.options.responseHeadLimits)
    }

    /// The bytes that open the connection.
    var head: [UInt8] { handshake.head(for: request.request) }

    /// Takes bytes of the server's answer; see ``WebSocketHeadReader``.
    mutating func receive(
        _ bytes: Span<UInt8>
    ) throws(TransportError) -> (head: ResponseHead, length: Int)? {
        try reader.receive(bytes)
    }

    /// Checks the server's answer; see ``WebSocketHandshake``.
    func check(_ head: ResponseHead) throws(WebSocketError) -> String? {
        try handshake.check(head)
    }
}
