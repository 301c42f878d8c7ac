import CurlTransport

/// What the page "Using WebSockets" shows.
struct WebSockets: Sendable {
    let client: HTTPClient
    let print: Print

    func conversation(_ url: String) async throws {
        // snippet: UsingWebSockets/conversation
        let socket = try await client.webSocket(url: url)
        try await socket.send("hello")
        for try await message in socket.messages {
            switch message {
            case .text(let text): print(text)
            case .binary(let bytes): print("\(bytes.count) bytes")
            }
            if case .text("bye") = message { break }
        }
        try await socket.close()
        // end
    }

    func configuration(_ url: String) async throws {
        // snippet: UsingWebSockets/configuration
        var configuration = WebSocketConfiguration()
        configuration.subprotocols = ["chat.v2", "chat.v1"]
        configuration.maximumMessageSize = 64 << 10
        configuration.pingInterval = .seconds(20)
        let socket = try await client.webSocket(url: url, configuration: configuration)
        print(socket.subprotocol ?? "none")
        // end
        try await socket.close()
    }
}
