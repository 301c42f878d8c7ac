internal import CurlTransport
internal import Foundation
internal import TestSupport

extension LoopbackServer {
    /// A server for WebSockets that goes by a script.
    static func sockets(
        _ configure: (inout WebSocketScript) -> Void = { _ in }
    ) throws -> LoopbackServer {
        var script = WebSocketScript.echoing
        configure(&script)
        return try .webSocket(script)
    }

    /// A URL of the server for WebSockets.
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
    /// Sends messages back, and answers pings and closing.
    static var echoing: Self { .echo { WebSocketHandshake.accept(for: $0) } }
}
