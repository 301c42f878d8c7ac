internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests HTTP/2 in sessions, with nginx as the server.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct SharedConnectionTests {
    private func session(_ nginx: NginxPeer, _ version: HTTPVersionPolicy) -> URLSession {
        URLSession.test {
            $0.tlsConfiguration.trustRoots = .file(nginx.certificates.authority)
            $0.httpVersion = version
        }
    }

    @Test("E6: Requests that start together share one HTTP/2 connection")
    func simultaneousRequestsShareAConnection() async throws {
        let nginx = try await NginxPeer.shared()
        let session = session(nginx, .http2)
        let url = try #require(URL(string: nginx.url(.https, "/connection")))
        let answers = try await withThrowingTaskGroup(of: [Substring].self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let (data, _) = try await session.data(from: url)
                    return String(decoding: data, as: UTF8.self).split(separator: " ")
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 50)
        #expect(Set(answers.map(\.first)) == ["HTTP/2.0"])
        // The number of the connection.
        #expect(Set(answers.map { $0.dropFirst(4).first }).count == 1)
    }

    @Test("E6: The configuration selects the HTTP version")
    func configurationSelectsTheHTTPVersion() async throws {
        let nginx = try await NginxPeer.shared()
        let url = try #require(URL(string: nginx.url(.https)))
        for (version, name) in [(HTTPVersionPolicy.http1, "http/1.1"), (.http2, "h2")] {
            let delegate = SessionDelegate()
            _ = try await session(nginx, version).data(from: url, delegate: delegate)
            let transaction = try #require(delegate.metrics.first?.transactionMetrics.first)
            #expect(transaction.networkProtocolName == name)
        }
    }

    @Test("C10: Cookies that are set over HTTP/2 are stored")
    func setCookieOverHTTP2IsKept() async throws {
        let server = try LoopbackServer { request in
            .text(request.header("Cookie") ?? "")
                .header("Set-Cookie", "a=1; Path=/")
                .header("Set-Cookie", "b=2; Path=/")
        }
        let nginx = try await NginxPeer.start(upstream: server.url)
        defer { nginx.stop() }
        let session = session(nginx, .http2)
        let url = try #require(URL(string: nginx.url(.https, "/upstream/")))
        let delegate = SessionDelegate()
        _ = try await session.data(from: url, delegate: delegate)
        let transaction = try #require(delegate.metrics.first?.transactionMetrics.first)
        #expect(transaction.networkProtocolName == "h2")
        let stored = session.configuration.httpCookieStorage?.cookies(for: url)
        #expect(stored?.map(\.name) == ["a", "b"])
        let (data, _) = try await session.data(from: url)
        #expect(String(decoding: data, as: UTF8.self) == "a=1; b=2")
    }
}
