internal import CurlURLSession
internal import Foundation
internal import TestSupport

/// Who asks a client who it is.
enum Asker: Sendable, CaseIterable {
    /// The server itself.
    case server
    /// A proxy that answers in the place of all servers.
    case proxy
    /// A proxy that is asked for tunnels.
    case tunnel

    var isProxy: Bool { self != .server }

    /// What it answers as long as it isn't content.
    func refusal(_ offer: String = "Basic realm=\"Gate\"") -> Reply {
        let field = isProxy ? "Proxy-Authenticate" : "WWW-Authenticate"
        return Reply(
            isProxy ? 407 : 401,
            headers: [(field, offer)],
            body: .bytes(Array("who?".utf8))
        )
    }

    /// What a request says of who the client is; `nil` for nothing.
    func proof(_ request: RecordedRequest) -> String? {
        request.header(isProxy ? "Proxy-Authorization" : "Authorization")
    }

    /// A server that lets in `user` with the password `pass`, by Basic.
    func basic() throws -> LoopbackServer {
        try LoopbackServer { request in
            proof(request) == "Basic dXNlcjpwYXNz"
                ? .text("in \(request.bodyText)") : refusal()
        }
    }

    /// A session whose requests come to a port of this machine, where it is.
    func session(_ port: Int, delegate: (any URLSessionDelegate)? = nil) -> URLSession {
        isProxy ? .test(by: port, delegate: delegate) : .test(delegate: delegate)
    }

    /// What such a session loads.
    func url(_ port: Int) throws -> URL {
        let text =
            switch self {
            case .server: "http://127.0.0.1:\(port)/x"
            case .proxy: "http://origin.test/x"
            case .tunnel: "https://origin.test/x"
            }
        guard let url = URL(string: text) else { throw URLError(.badURL) }
        return url
    }
}
