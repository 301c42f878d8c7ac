internal import Synchronization

extension LoopbackServer {
    /// How a server handles its WebSocket connections.
    package struct WebSocketScript: Sendable {
        /// Computes the `Sec-WebSocket-Accept` value from a request's `Sec-WebSocket-Key`.
        package var accept: @Sendable (String) -> String
        /// Additional fields of the handshake's response, each with its line end.
        package var fields = ""
        /// The steps after the handshake.
        package var opening: @Sendable (Int) -> [Step] = { _ in [] }
        /// The steps that answer a frame; nil ends the conversation and the connection.
        package var answer: @Sendable (ServerFrame) -> [Step]? = { frame in
            // A close frame is answered with the same frame.
            frame.opcode == 8 ? [.send(ServerFrame(8, frame.payload).bytes), .close] : []
        }
        /// The steps after the client's close.
        package var end: @Sendable () -> [Step] = { [] }

        package init(accept: @escaping @Sendable (String) -> String) {
            self.accept = accept
        }

        /// Echoes messages, and answers pings and close frames.
        package static func echo(accept: @escaping @Sendable (String) -> String) -> Self {
            var script = Self(accept: accept)
            script.answer = { frame in
                switch frame.opcode {
                case 8: [.send(ServerFrame(8, frame.payload).bytes), .close]
                case 9: [.send(ServerFrame.pong(frame.payload).bytes)]
                case 10: []
                default:
                    [.send(ServerFrame(frame.opcode, frame.payload, isFinal: frame.isFinal).bytes)]
                }
            }
            return script
        }
    }

    /// Accepts every WebSocket handshake, then runs the script.
    package static func webSocket(
        options: ServerOptions = ServerOptions(),
        _ script: WebSocketScript
    ) throws -> LoopbackServer {
        try .scripted(options: options) { connection in
            [.readHead, .respond { steps(for: $0, connection, script) }]
        }
    }

    /// Accepts the WebSocket handshake of `request`, then runs the script.
    package static func steps(
        for request: RecordedRequest,
        _ connection: Int,
        _ script: WebSocketScript
    ) -> [Step] {
        let key = request.header("Sec-WebSocket-Key") ?? ""
        let head = """
            HTTP/1.1 101 Switching Protocols\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Accept: \(script.accept(key))\r
            \(script.fields)\r

            """
        let box = ParserBox()
        return [.send(head)] + script.opening(connection) + [
            .converse { bytes in
                guard !bytes.isEmpty else { return script.end() }
                var steps: [Step] = []
                for frame in box.frames(in: bytes) {
                    guard let next = script.answer(frame) else { return nil }
                    steps += next
                }
                return steps
            }
        ]
    }

    private final class ParserBox: Sendable {
        private let parser = Mutex(ServerFrameParser())

        func frames(in bytes: [UInt8]) -> [ServerFrame] {
            parser.withLock { parser in
                parser.append(bytes)
                var frames: [ServerFrame] = []
                while let frame = parser.next() { frames.append(frame) }
                return frames
            }
        }
    }
}
