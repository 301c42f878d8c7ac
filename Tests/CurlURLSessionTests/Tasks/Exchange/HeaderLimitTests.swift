internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests servers that send endless header fields.
@Suite(.timeLimit(.minutes(10))) struct HeaderLimitTests {
    private static let status = "HTTP/1.1 200 OK\r\n"

    private static func server(_ steps: [Step]) throws -> LoopbackServer {
        try LoopbackServer.scripted([.readHead] + steps)
    }

    /// Endless fields, cookies, a single line, and interim responses.
    @Test(
        "D9: An endless response header is an error",
        arguments: [
            (status, "X-Flood: 1\r\n"), (status, "Set-Cookie: a=b; Path=/\r\n"),
            (status + "X-Long: ", "aaaaaaaaaaaaaaaa"),
            ("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"),
        ]
    )
    func endlessHeaderIsAnError(_ start: String, _ rest: String) async throws {
        let server = try Self.server([.send(start), .sendRepeating(rest, times: nil)])
        let session = URLSession.test()
        let error = try await urlError { _ = try await session.data(from: server.at("/")) }
        #expect(error.code == .dataLengthExceedsMaximum, "\(error)")
        #expect(session.configuration.httpCookieStorage?.cookies?.isEmpty ?? true)
    }

    @Test("D9: Endless trailers are an error")
    func endlessTrailersAreAnError() async throws {
        let head = Self.status + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
        let server = try Self.server([.send(head), .sendRepeating("X-Flood: 1\r\n", times: nil)])
        let error = try await urlError {
            _ = try await URLSession.test().data(from: server.at("/"))
        }
        #expect(error.code == .dataLengthExceedsMaximum, "\(error)")
    }

    @Test("D9: An endless proxy response to CONNECT is an error")
    func endlessConnectResponseIsAnError() async throws {
        let proxy = try Self.server([
            .send("HTTP/1.1 407 Who\r\n"), .sendRepeating("X-Flood: 1\r\n", times: nil),
        ])
        let session = URLSession.test {
            $0.connectionProxyDictionary = [
                "HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1", "HTTPSPort": proxy.port,
            ]
        }
        let url = try #require(URL(string: "https://origin.test/"))
        let error = try await urlError { _ = try await session.data(from: url) }
        #expect(error.code == .dataLengthExceedsMaximum, "\(error)")
    }

    @Test func hundredCookiesAreAccepted() async throws {
        let names = (0..<100).map { "c\($0)" }
        let server = try LoopbackServer { _ in
            Reply(headers: names.map { ("Set-Cookie", "\($0)=v; Path=/") })
        }
        let session = URLSession.test()
        _ = try await session.data(from: server.at("/"))
        let stored = session.configuration.httpCookieStorage?.cookies ?? []
        #expect(Set(stored.map(\.name)) == Set(names))
    }

    @Test("A response with 1,500 cookies is delivered")
    func manyCookiesAreDelivered() async throws {
        let values = (0..<1_500).map { number in
            "c\(number)=".padding(toLength: 60, withPad: "v", startingAt: 0)
        }
        let server = try LoopbackServer { _ in
            Reply(headers: values.map { ("Set-Cookie", $0) }, body: .bytes(Array("ok".utf8)))
        }
        let session = URLSession.test()
        let (data, response) = try await session.data(from: server.at("/"))
        #expect(data == Data("ok".utf8))
        let field = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Set-Cookie")
        let isWhole = field == values.joined(separator: ", ")
        #expect(isWhole)
        // The storage has its own limit for each site.
        #expect(session.configuration.httpCookieStorage?.cookies?.isEmpty == false)
    }
}
