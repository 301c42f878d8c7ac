internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests HTTP/2 in sessions, mostly with nginx as the server.
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

    @Test("GETs succeed when the server ends HTTP/2 connections after 50 requests")
    func retiredConnectionFailsNoGET() async throws {
        let nginx = try await NginxPeer.start(keepaliveRequests: 50)
        defer { nginx.stop() }
        let session = session(nginx, .http2)
        let url = try #require(URL(string: nginx.url(.https, "/connection")))
        let connections = try await withThrowingTaskGroup(
            of: Set<String>.self,
            returning: Set<String>.self
        ) { group in
            for _ in 0..<64 {
                group.addTask {
                    var numbers: Set<String> = []
                    for _ in 0..<10 {
                        let (data, _) = try await session.data(from: url)
                        let words = String(decoding: data, as: UTF8.self).split(separator: " ")
                        #expect(words.first == "HTTP/2.0")
                        // The number of the connection.
                        numbers.formUnion(words.dropFirst(4).prefix(1).map { String($0) })
                    }
                    return numbers
                }
            }
            return try await group.reduce(into: []) { $0.formUnion($1) }
        }
        #expect(connections.count > 10)
        session.invalidateAndCancel()
    }

    @Test("A GET is sent again when GOAWAY says that the server hasn't processed its stream")
    func unprocessedStreamRepeatsGET() async throws {
        let server = try LoopbackServer.scripted { number in
            let answer = number == 0 ? Frames.goAway : Frames.noContent
            return [
                .readHead, Frames.readRequest(), .send(Frames.settings + answer), .readUntilClosed,
            ]
        }
        let session = URLSession.test { $0.httpVersion = .http2PriorKnowledge }
        let (data, response) = try await session.data(from: server.at("/"))
        #expect((response as? HTTPURLResponse)?.statusCode == 204)
        #expect(data.isEmpty)
        #expect(server.acceptedConnectionCount == 2)
        session.invalidateAndCancel()
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

/// Frames of an HTTP/2 server whose client has sent one request. Source: RFC 9113, section 6.
private enum Frames {
    /// An empty SETTINGS frame and the acknowledgement of the client's.
    static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]
    /// GOAWAY with NO_ERROR and the last stream 0: none was processed.
    static let goAway: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    /// The head of the first stream's response, which has no body: status 204.
    static let noContent: [UInt8] = [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x89]

    /// Reads up to the first HEADERS frame, after the first line of the client's preface.
    static func readRequest() -> Step {
        let received = Watched<[UInt8]>([])
        return .converse { bytes in
            let all = received.update { received in
                received += bytes
                return received
            }
            return hasHeaders(all) ? nil : []
        }
    }

    private static func hasHeaders(_ bytes: [UInt8]) -> Bool {
        // The preface ends with `SM` and two line ends. A frame begins with its length in three
        // bytes, its type in one, and five others.
        var rest = bytes.dropFirst(6)
        while rest.count >= 9 {
            if rest[rest.startIndex + 3] == 1 { return true }
            let length = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(9 + length)
        }
        return false
    }
}
