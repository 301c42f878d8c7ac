internal import CurlNetworking
internal import Foundation
internal import TestSupport

/// What an example has printed, and the server that it uses.
struct Console: Sendable {
    let lines = EventRecorder<String>()
    let server: LoopbackServer

    /// Starts a server with numbered users, text pages, changes and events.
    init() throws {
        server = try LoopbackServer { request in
            switch request.path {
            case "/users" where request.method == "GET":
                Self.json(#"[{"name":"Grace"},{"name":"Ada"}]"#)
            case "/users/404":
                .text("nobody", status: 404)
            case "/changes":
                Self.typed("application/x-ndjson", Self.changes)
            case "/events" where request.header("Last-Event-ID") != nil:
                .status(204)
            case "/events":
                Self.typed("text/event-stream", "id: 1\ndata: hello\n\nretry: 0\n")
            case let path where path.hasPrefix("/pages"):
                .text("one\ntwo\n")
            default:
                Self.json(#"{"method":"\#(request.method)","bytes":\#(request.bodyByteCount)}"#)
            }
        }
    }

    var print: Print { Print { lines.record($0) } }

    func url(_ path: String = "") throws -> URL {
        guard let url = URL(string: server.url + path) else { throw URLError(.badURL) }
        return url
    }

    /// A manager of the server with an ephemeral session and a long timeout.
    func manager() throws -> HTTPSessionManager {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        let manager = HTTPSessionManager(
            baseURL: try url(),
            sessionConfiguration: configuration
        )
        manager.completionQueue = .global()
        return manager
    }

    /// Waits for a line that contains `text`.
    func wait(for text: String) async throws {
        _ = try await lines.first { $0.contains(text) }
    }

    private static let changes = #"""
        {"id":1,"name":"Grace"}

        {"id":2,"name":"Ada"}

        """#

    private static func json(_ text: String) -> Reply { typed("application/json", text) }

    private static func typed(_ type: String, _ text: String) -> Reply {
        Reply(headers: [("Content-Type", type)], body: .bytes(Array(text.utf8)))
    }
}
