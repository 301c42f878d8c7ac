internal import CurlTransport
internal import Foundation
internal import TestSupport

extension LoopbackServer {
    /// A WebSocket server that follows a script.
    static func sockets(
        _ configure: (inout WebSocketScript) -> Void = { _ in }
    ) throws -> LoopbackServer {
        var script = WebSocketScript.echoing
        configure(&script)
        return try .webSocket(script)
    }

    /// The URL of the WebSocket server.
    var socketURL: URL {
        get throws {
            guard let url = URL(string: "ws://127.0.0.1:\(port)/socket") else {
                throw URLError(.badURL)
            }
            return url
        }
    }
}

extension LoopbackServer.WebSocketScript {
    /// Echoes messages, and answers pings and close frames.
    static var echoing: Self { .echo { WebSocketHandshake.accept(for: $0) } }
}
