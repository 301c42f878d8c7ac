/// The state of a WebSocket's opening handshake: the request and the partial response.
struct WebSocketOpening: Sendable {
    let request: WebSocketRequest
    private let handshake: WebSocketHandshake
    private var reader: WebSocketHeadReader

    init(_ request: WebSocketRequest, using generator: inout some RandomNumberGenerator) {
        self.request = request
        handshake = WebSocketHandshake(subprotocols: request.subprotocols, using: &generator)
        reader = WebSocketHeadReader(limits: request.options.options.responseHeadLimits)
    }

    /// The bytes of the request.
    var head: [UInt8] { handshake.head(for: request.request) }

    /// Reads bytes of the server's response; see ``WebSocketHeadReader``.
    mutating func receive(
        _ bytes: Span<UInt8>
    ) throws(TransportError) -> (head: ResponseHead, length: Int)? {
        try reader.receive(bytes)
    }

    /// Validates the server's response; see ``WebSocketHandshake``.
    func check(_ head: ResponseHead) throws(WebSocketError) -> String? {
        try handshake.check(head)
    }
}
