internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests HTTP/3 in sessions, with a server that only has UDP, and with nginx.
@Suite(
    .enabled(
        if: HTTPVersionPolicy.offersHTTP3 && NginxPeer.speaksHTTP3 && FaultyHTTP3Peer.isAvailable
    ),
    .timeLimit(.minutes(10))
)
struct HTTP3SessionTests {
    private func session(
        _ nginx: NginxPeer,
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> URLSession {
        URLSession.test {
            $0.tlsConfiguration.trustRoots = .file(nginx.certificates.authority)
            configure($0)
        }
    }

    private func protocolName(
        _ request: URLRequest,
        _ session: URLSession
    ) async throws -> String? {
        let delegate = SessionDelegate()
        let (data, _) = try await session.data(for: request, delegate: delegate)
        #expect(!data.isEmpty)
        let transaction = try #require(delegate.metrics.first?.transactionMetrics.last)
        if transaction.networkProtocolName == "h3" {
            #expect(transaction.negotiatedTLSProtocolVersion == .TLSv13)
        }
        return transaction.networkProtocolName
    }

    @Test("A request that assumes HTTP/3 uses it, and its metrics say so")
    func requestThatAssumesHTTP3GoesOverIt() async throws {
        let nginx = try await NginxPeer.shared()
        let session = session(nginx)
        let peer = try await FaultyHTTP3Peer.shared()
        var request = URLRequest(url: try #require(URL(string: peer.url("/"))))
        request.assumesHTTP3Capable = true
        #expect(try await protocolName(request, session) == "h3")
        // A server without HTTP/3 is reached as well.
        request.url = URL(string: nginx.url(.http1Only))
        #expect(try await protocolName(request, session) == "http/1.1")
    }

    @Test("A session uses HTTP/3 if its configuration says so")
    func configurationAsksForHTTP3() async throws {
        let nginx = try await NginxPeer.shared()
        let session = session(nginx) { $0.httpVersion = .http3 }
        let peer = try await FaultyHTTP3Peer.shared()
        let url = try #require(URL(string: peer.url("/")))
        #expect(try await protocolName(URLRequest(url: url), session) == "h3")
    }

    @Test("Uploads and downloads work over HTTP/3")
    func uploadsAndDownloadsGoOverHTTP3() async throws {
        let body = Data(NginxPeer.megabyte)
        let server = try LoopbackServer { .text($0.body == NginxPeer.megabyte ? "same" : "other") }
        defer { server.stop() }
        let nginx = try await NginxPeer.start(upstream: server.url)
        defer { nginx.stop() }
        let session = session(nginx) { $0.httpVersion = .http3 }
        var request = URLRequest(url: try #require(URL(string: nginx.url(.http3, "/upstream/"))))
        request.httpMethod = "PUT"
        let (answer, _) = try await session.upload(for: request, from: body)
        #expect(String(decoding: answer, as: UTF8.self) == "same")

        let url = try #require(URL(string: nginx.url(.http3, "/1m.bin")))
        let (file, _) = try await session.download(from: url)
        #expect(try Data(contentsOf: file) == body)
        try FileManager.default.removeItem(at: file)
    }
}
