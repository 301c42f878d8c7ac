internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests which requests use cookies.
@Suite(.timeLimit(.minutes(10))) struct CookieHandlingTests {
    private static func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            .text(request.header("Cookie") ?? "none").header("Set-Cookie", "from=\(request.path)")
        }
    }

    private static func text(_ answer: (Data, URLResponse)) -> String {
        String(decoding: answer.0, as: UTF8.self)
    }

    @Test("E8: A request that doesn't handle cookies neither sends nor stores any")
    func requestCanIgnoreCookies() async throws {
        let server = try Self.server()
        let session = URLSession.test()
        _ = try await session.data(from: server.at("/first"))
        var request = URLRequest(url: try server.at("/second"))
        request.httpShouldHandleCookies = false
        #expect(Self.text(try await session.data(for: request)) == "none")
        // The request's own `Cookie` field is sent.
        request.setValue("own=1", forHTTPHeaderField: "Cookie")
        #expect(Self.text(try await session.data(for: request)) == "own=1")
        #expect(Self.text(try await session.data(from: server.at("/third"))) == "from=/first")
    }

    @Test("E8: The accept policy decides whether third-party cookies are stored")
    func acceptPolicyDecidesAboutThirdPartyCookies() async throws {
        let server = try Self.server()
        for (policy, isTaken) in [
            (HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain, false), (.always, true),
            (.never, false),
        ] {
            let session = URLSession.test { $0.httpCookieAcceptPolicy = policy }
            var request = URLRequest(url: try server.at("/first"))
            request.mainDocumentURL = URL(string: "https://news.example/")
            _ = try await session.data(for: request)
            let second = Self.text(try await session.data(from: server.at("/second")))
            #expect(second == (isTaken ? "from=/first" : "none"))
        }
    }

    @Test("E8: A session that doesn't set cookies sends none")
    func sessionCanSendNoCookies() async throws {
        let server = try Self.server()
        let session = URLSession.test { $0.httpShouldSetCookies = false }
        _ = try await session.data(from: server.at("/first"))
        #expect(Self.text(try await session.data(from: server.at("/second"))) == "none")
    }
}
