internal import CurlURLSession
internal import Foundation
internal import TestSupport

/// The party that demands authentication: a server or a proxy.
enum Asker: Sendable, CaseIterable {
    /// The server itself.
    case server
    /// A proxy for plain HTTP requests.
    case proxy
    /// A proxy for CONNECT tunnels.
    case tunnel

    var isProxy: Bool { self != .server }

    /// The 401 or 407 reply to a request without a valid credential.
    func refusal(_ offer: String = "Basic realm=\"Gate\"") -> Reply {
        let field = isProxy ? "Proxy-Authenticate" : "WWW-Authenticate"
        return Reply(
            isProxy ? 407 : 401,
            headers: [(field, offer)],
            body: .bytes(Array("who?".utf8))
        )
    }

    /// The value of the request's authorization field; `nil` if there is none.
    func proof(_ request: RecordedRequest) -> String? {
        request.header(isProxy ? "Proxy-Authorization" : "Authorization")
    }

    /// A server that accepts user `user` with password `pass` by Basic authentication.
    func basic() throws -> LoopbackServer {
        try LoopbackServer { request in
            proof(request) == "Basic dXNlcjpwYXNz"
                ? .text("in \(request.bodyText)") : refusal()
        }
    }

    /// A session whose requests reach `port` of this machine, directly or as a proxy.
    func session(_ port: Int, delegate: (any URLSessionDelegate)? = nil) -> URLSession {
        isProxy ? .test(by: port, delegate: delegate) : .test(delegate: delegate)
    }

    /// The URL to load with such a session.
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
