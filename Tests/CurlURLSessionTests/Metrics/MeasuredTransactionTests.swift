import CurlTransport
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CurlURLSession

/// Tests the metrics of real transfers.
@Suite(.timeLimit(.minutes(10))) struct MeasuredTransactionTests {
    private func dates(_ metrics: URLSessionTaskTransactionMetrics) -> [Date] {
        [
            metrics.fetchStartDate, metrics.domainLookupStartDate, metrics.domainLookupEndDate,
            metrics.connectStartDate, metrics.secureConnectionStartDate,
            metrics.secureConnectionEndDate, metrics.connectEndDate, metrics.requestStartDate,
            metrics.requestEndDate, metrics.responseStartDate, metrics.responseEndDate,
        ].compactMap(\.self)
    }

    private func fetch(
        _ text: String,
        with client: HTTPClient
    ) async throws -> URLSessionTaskTransactionMetrics {
        let started = Date()
        let response = try await client.send(HTTPRequest(url: text))
        _ = try await response.body.collect(upTo: 1 << 20)
        return URLSessionTaskTransactionMetrics(
            request: URLRequest(url: try #require(URL(string: text))),
            response: nil,
            metrics: response.metrics,
            started: started,
            fetchType: .networkLoad
        )
    }

    @Test("C18: The first transaction opens a connection, and the second one reuses it")
    func secondTransactionReusesTheConnection() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        defer { server.stop() }
        let client = try HTTPClient()
        let first = try await fetch(server.url, with: client)
        let second = try await fetch(server.url, with: client)
        #expect(dates(first) == dates(first).sorted())
        #expect(dates(second) == dates(second).sorted())
        #expect(dates(first).count == 9)
        #expect(dates(second).count == 5)
        #expect(!first.isReusedConnection && second.isReusedConnection)
        for metrics in [first, second] {
            #expect(metrics.networkProtocolName == "http/1.1")
            #expect(metrics.remotePort == "\(server.port)")
            #expect(metrics.remoteAddress == "127.0.0.1")
            #expect(metrics.localPort == first.localPort)
            #expect(metrics.countOfResponseBodyBytesReceived == 5)
            #expect(metrics.countOfResponseBodyBytesAfterDecoding == 5)
            #expect(metrics.countOfResponseHeaderBytesReceived > 0)
            #expect(metrics.countOfRequestHeaderBytesSent > 0)
            #expect(metrics.negotiatedTLSProtocolVersion == nil)
        }
    }

    @Test("C18: Metrics have TLS dates, version and suite", .enabled(if: NginxPeer.isAvailable))
    func metricsHaveTLSDatesVersionAndSuite() async throws {
        let nginx = try await NginxPeer.shared()
        var options = TransferOptions()
        options.tls.trustRoots = .file(nginx.certificates.authority)
        options.httpVersion = .http2
        options.timeouts = Timeouts(connect: .seconds(60), idle: .seconds(60))
        let client = try HTTPClient(options: options)
        let new = try await fetch(nginx.url(.tls13), with: client)
        #expect(dates(new) == dates(new).sorted())
        #expect(dates(new).count == 11)
        #expect(new.negotiatedTLSProtocolVersion == .TLSv13)
        #expect(new.negotiatedTLSCipherSuite != nil)
        #expect(new.networkProtocolName == "h2")
        let old = try await fetch(nginx.url(.tls12), with: client)
        #expect(old.negotiatedTLSProtocolVersion == .TLSv12)
        #expect(old.negotiatedTLSCipherSuite != nil)
    }

    @Test(
        "Given a delegate that evaluates trust, metrics have TLS dates over HTTP/2",
        .enabled(if: NginxPeer.isAvailable)
    )
    func metricsHaveTLSDatesAfterATrustDecision() async throws {
        let nginx = try await NginxPeer.shared()
        let delegate = SessionDelegate { answers in
            answers.challenge = { challenge, completion in
                let trust = challenge.protectionSpace.serverTrust
                completion(.useCredential, trust.map { URLCredential(trust: $0) })
            }
        }
        let session = URLSession.test(delegate: delegate) {
            $0.httpVersion = .http2
            $0.urlCache = nil
            $0.tlsConfiguration.trustRoots = .file(nginx.certificates.authority)
        }
        let url = try #require(URL(string: nginx.url(.tls13)))
        for number in 1...2 {
            session.dataTask(with: url).resume()
            try await delegate.completion(number)
        }
        let transactions = try delegate.metrics.map { try #require($0.transactionMetrics.last) }
        try #require(transactions.count == 2)
        let (new, old) = (transactions[0], transactions[1])
        #expect(new.networkProtocolName == "h2" && !new.isReusedConnection)
        #expect(new.secureConnectionStartDate != nil)
        #expect(new.secureConnectionEndDate != nil)
        #expect(dates(new).count == 11)
        #expect(dates(new) == dates(new).sorted())
        // The second task uses the same connection, whose TLS handshake was the first one's.
        #expect(old.networkProtocolName == "h2" && old.isReusedConnection)
        #expect(old.secureConnectionStartDate == nil)
        session.invalidateAndCancel()
    }

    @Test("C18: Metrics count compressed and decoded bytes", .enabled(if: NginxPeer.isAvailable))
    func metricsCountCompressedAndDecodedBytes() async throws {
        let nginx = try await NginxPeer.shared()
        let client = try HTTPClient()
        let metrics = try await fetch(nginx.url(.http, "/gzip/1m.bin"), with: client)
        #expect(metrics.countOfResponseBodyBytesAfterDecoding == 1 << 20)
        #expect(metrics.countOfResponseBodyBytesReceived > 0)
        #expect(metrics.countOfResponseBodyBytesReceived < 1 << 20)
    }
}
