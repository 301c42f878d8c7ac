internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Whether requests take part in cookies.
@Suite(.timeLimit(.minutes(10))) struct CookieHandlingTests {
    private static func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            .text(request.header("Cookie") ?? "none").header("Set-Cookie", "from=\(request.path)")
        }
    }

    private static func text(_ answer: (Data, URLResponse)) -> String {
        String(decoding: answer.0, as: UTF8.self)
    }

    @Test("E8: A request that handles no cookies neither sends nor stores any")
    func aRequestMayHandleNoCookies() async throws {
        let server = try Self.server()
        let session = URLSession.test()
        _ = try await session.data(from: server.at("/first"))
        var request = URLRequest(url: try server.at("/second"))
        request.httpShouldHandleCookies = false
        #expect(Self.text(try await session.data(for: request)) == "none")
        // What the request says itself is sent.
        request.setValue("own=1", forHTTPHeaderField: "Cookie")
        #expect(Self.text(try await session.data(for: request)) == "own=1")
        #expect(Self.text(try await session.data(from: server.at("/third"))) == "from=/first")
    }

    @Test("E8: A session takes cookies of its main documents' sites")
    func aSessionTakesCookiesOfItsMainDocuments() async throws {
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

    @Test("E8: A session that sets no cookies sends none")
    func aSessionMaySetNoCookies() async throws {
        let server = try Self.server()
        let session = URLSession.test { $0.httpShouldSetCookies = false }
        _ = try await session.data(from: server.at("/first"))
        #expect(Self.text(try await session.data(from: server.at("/second"))) == "none")
    }
}
