internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Errors don't contain the password of a URL.
@Suite(.timeLimit(.minutes(10))) struct ErrorURLTests {
    /// A request whose URL has a user name and a password.
    private func request(_ server: LoopbackServer, _ path: String) throws -> URLRequest {
        var components = try #require(URLComponents(string: server.at(path)))
        (components.user, components.password) = ("me", "s3cret")
        return URLRequest(url: try #require(components.url))
    }

    private func expectNoSecret(
        _ error: (any Error)?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try #require(error, sourceLocation: sourceLocation) as NSError
        let url = error.userInfo[NSURLErrorFailingURLErrorKey] as? URL
        #expect(url?.host == "127.0.0.1", sourceLocation: sourceLocation)
        let texts = [
            url?.absoluteString, error.userInfo["NSErrorFailingURLStringKey"] as? String,
            error.localizedDescription, error.localizedFailureReason,
        ]
        for text in texts {
            #expect(text?.contains("s3cret") != true, sourceLocation: sourceLocation)
        }
    }

    @Test("S-43, C-20: An error of a response doesn't contain the URL's password")
    func noErrorHasAPassword() async throws {
        let events = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        let server = try LoopbackServer { request in
            switch request.path {
            case "/events": .steps([.send(events)])
            case "/missing": .status(404)
            default: .text("a long line")
            }
        }
        let manager = URLSessionManager.test()
        manager.responseSerializer = HTTPResponseSerializer()
        try expectNoSecret(try await manager.load(request(server, "/missing")).error)
        manager.responseSerializer = JSONResponseSerializer()
        try expectNoSecret(try await manager.load(request(server, "/text")).error)
        let stream = try await manager.stream(for: request(server, "/text"))
        try expectNoSecret(
            await failure { for try await _ in stream.lines(maximumLength: 3) {} }
        )
        let reconnection = ServerSentEventReconnection(
            maximumAttempts: 1,
            delay: .zero,
            minimumDelay: .zero
        )
        let silent = try await manager.events(
            for: request(server, "/events"),
            reconnection: reconnection
        )
        try expectNoSecret(await failure { for try await _ in silent {} })
    }

    @Test("S-43: The error of an untrusted server doesn't contain the URL's password")
    func aServerThatIsNotTrusted() throws {
        let url = try #require(URL(string: "https://me:s3cret@127.0.0.1/x"))
        try expectNoSecret(NSError.untrustedServer(.unknownAuthority, trust: nil, url: url))
    }
}
