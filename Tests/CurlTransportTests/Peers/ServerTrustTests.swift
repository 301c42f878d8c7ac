import CurlTransport
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// The delegate's decision on whether a server is trusted.
///
/// The server behind nginx records the requests that reach it.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct ServerTrustTests {
    /// A server behind nginx, and nginx.
    private struct Site {
        let server: LoopbackServer
        let nginx: NginxPeer

        init() async throws {
            server = try LoopbackServer { _ in .text("behind") }
            nginx = try await NginxPeer.start(upstream: server.url)
        }

        func stop() {
            nginx.stop()
            server.stop()
        }

        func url(_ port: NginxPeer.Port) -> String { nginx.url(port, "/upstream/x") }
    }

    private static func asking(_ change: (inout TransferOptions) -> Void = { _ in }) throws
        -> TransferOptions
    {
        try PeerClient.options {
            $0.tls.evaluatesServerTrust = true
            change(&$0)
        }
    }

    private func client(
        _ answer: @escaping @Sendable (ServerTrust) async -> TrustDecision
    ) throws -> PeerClient {
        var hooks = ClientHooks()
        hooks.serverTrust = answer
        return try PeerClient(hooks: hooks) { $0.tls.evaluatesServerTrust = true }
    }

    @Test func selfSignedServerIsAcceptedBeforeRequestIsSent() async throws {
        let site = try await Site()
        defer { site.stop() }
        let (asked, answered) = (Gate(), Gate())
        let questions = EventRecorder<ServerTrust>()
        let client = try client { trust in
            questions.record(trust)
            asked.open()
            try? await answered.wait()
            return .accept
        }
        async let answer = client.fetch(site.url(.selfSigned))
        try await asked.wait()
        #expect(site.server.acceptedConnectionCount == 0)
        answered.open()
        #expect(try await answer.text == "behind")

        let question = try #require(questions.events.first)
        #expect(question.host == "localhost" && question.port == site.nginx.port(.selfSigned))
        #expect(question.failure?.code == .certificateUntrusted)
        let path = site.nginx.certificates.selfSigned.certificate
        let pem = String(decoding: try TemporaryDirectory.bytes(ofFile: path), as: UTF8.self)
        #expect(question.certificates.count == 1)
        #expect(
            question.certificates.first?.filter { !$0.isWhitespace }
                == pem.filter { !$0.isWhitespace }
        )
    }

    @Test func rejectedServerGetsNoRequest() async throws {
        let site = try await Site()
        defer { site.stop() }
        let client = try client { _ in .reject }
        // Also a certificate that passes verification.
        for port in [NginxPeer.Port.selfSigned, .https] {
            let error = await client.failure(site.url(port), method: .post, body: .text("secret"))
            #expect(error?.code == .trustRefused)
            #expect(error?.isTLS == true)
        }
        #expect(site.server.acceptedConnectionCount == 0)
    }

    @Test func verificationResultAppliesByDefault() async throws {
        let site = try await Site()
        defer { site.stop() }
        let client = try client { _ in .performDefaultHandling }
        for (port, code) in [
            (NginxPeer.Port.selfSigned, TransportError.Code.certificateUntrusted),
            (.expired, .certificateExpired), (.otherHost, .certificateHostname),
        ] {
            let error = try #require(await client.failure(site.url(port)))
            #expect(error.code == code, "\(error)")
        }
        #expect(site.server.acceptedConnectionCount == 0)
        #expect(try await client.fetch(site.url(.https)).text == "behind")
    }

    @Test("A trust decision counts for one connection, and each new connection asks again")
    func trustDecisionAppliesToOneConnection() async throws {
        let site = try await Site()
        defer { site.stop() }
        let questions = EventRecorder<ServerTrust>()
        let client = try client {
            questions.record($0)
            return .accept
        }
        let fresh = try Self.asking { $0.reusesConnection = false }
        for port in [NginxPeer.Port.selfSigned, .https] {
            let count = questions.events.count
            _ = try await client.fetch(site.url(port))
            let second = try await client.fetch(site.url(port))
            #expect(second.metrics.isConnectionReused)
            #expect(questions.events.count == count + 1)
            let third = try await client.fetch(site.url(port), options: fresh)
            #expect(!third.metrics.isConnectionReused)
            #expect(questions.events.count == count + 2)
        }
        let failures = questions.events.map(\.failure?.code)
        #expect(failures == [.certificateUntrusted, .certificateUntrusted, nil, nil])
    }

    @Test(
        "A delegate that becomes stricter refuses new connections and keeps open ones",
        arguments: [TrustDecision.reject, .performDefaultHandling],
        [HTTPVersionPolicy.http1, .http2]
    )
    func stricterDelegateRefusesNewConnections(
        _ decision: TrustDecision,
        _ version: HTTPVersionPolicy
    ) async throws {
        let site = try await Site()
        defer { site.stop() }
        let isStrict = Gate()
        let client = try client { _ in isStrict.isOpen ? decision : .accept }
        let options = try Self.asking { $0.httpVersion = version }
        let fresh = try Self.asking {
            $0.httpVersion = version
            $0.reusesConnection = false
        }
        let url = site.url(.selfSigned)
        _ = try await client.fetch(url, options: options)
        isStrict.open()
        let error = await client.failure(url, method: .post, body: .text("secret"), options: fresh)
        #expect(error?.code == (decision == .reject ? .trustRefused : .certificateUntrusted))
        // The connection that was accepted before is still used.
        #expect(try await client.fetch(url, options: options).metrics.isConnectionReused)
        #expect(site.server.requestCount == 2)
    }

    @Test("The delegate is asked about each of several concurrent connections")
    func concurrentConnectionsEachAskDelegate() async throws {
        let site = try await Site()
        defer { site.stop() }
        let questions = EventRecorder<ServerTrust>()
        let answered = Gate()
        let client = try client { trust in
            questions.record(trust)
            try? await answered.wait()
            return .accept
        }
        let fresh = try Self.asking { $0.reusesConnection = false }
        for port in [NginxPeer.Port.selfSigned, .https] {
            let url = site.url(port)
            let count = questions.events.count
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await client.fetch(url, options: fresh).text }
                }
                _ = try await questions.wait(count: count + 8)
                answered.open()
                for try await text in group { #expect(text == "behind") }
            }
            #expect(questions.events.count == count + 8)
        }
    }

    @Test func changedChainAsksDelegateAgain() async throws {
        let site = try await Site()
        defer { site.stop() }
        let questions = EventRecorder<ServerTrust>()
        let client = try client {
            questions.record($0)
            return .accept
        }
        let url = site.url(.selfSigned)
        _ = try await client.fetch(url)
        // The same origin, but another server answers.
        let port = site.nginx.port(.expired)
        let elsewhere = try Self.asking { $0.connectTo = [ConnectOverride(toPort: port)] }
        _ = try await client.fetch(url, options: elsewhere)
        try #require(questions.events.count == 2)
        #expect(questions.events[0].certificates != questions.events[1].certificates)
        #expect(questions.events[1].failure?.code == .certificateExpired)
    }

    @Test(
        "A server that presents another chain on each connection is refused after 20 decisions",
        .enabled(if: TLSRelayPeer.isAvailable)
    )
    func decisionsOnChangingChainsAreLimited() async throws {
        let server = try LoopbackServer { _ in .text("behind") }
        defer { server.stop() }
        let relay = try await TLSRelayPeer.start(
            port: server.port,
            protocols: ["http/1.1"],
            changesChain: true
        )
        defer { relay.stop() }
        let questions = EventRecorder<ServerTrust>()
        let client = try client {
            questions.record($0)
            return .accept
        }
        let error = await client.failure("https://localhost:\(relay.port)/")
        #expect(error?.code == .trustRefused)
        #expect(error?.message.contains("different certificate chain") == true)
        #expect(questions.events.count == 20)
        #expect(Set(questions.events.map(\.certificates)).count == 20)
        #expect(server.requestCount == 0)
    }

    @Test func acceptedOriginIsVerifiedAgainWhenChainChanges() async throws {
        let site = try await Site()
        defer { site.stop() }
        let (asked, expired) = (Gate(), site.nginx.port(.expired))
        let client = try client { _ in
            defer { asked.open() }
            return asked.isOpen ? .performDefaultHandling : .accept
        }
        let url = site.url(.selfSigned)
        _ = try await client.fetch(url)
        let elsewhere = try Self.asking { $0.connectTo = [ConnectOverride(toPort: expired)] }
        let error = await client.failure(url, options: elsewhere)
        #expect(error?.code == .certificateExpired)
        #expect(site.server.requestCount == 1)
    }

    /// libcurl reports equal ends for all connections of a unix socket.
    @Test("A decision on one connection of a unix socket doesn't count for another one")
    func decisionDoesNotCountForAnotherUnixConnection() async throws {
        let site = try await Site()
        defer { site.stop() }
        let isStrict = Gate()
        let client = try client { _ in isStrict.isOpen ? .reject : .accept }
        let path = site.nginx.socketPath
        let options = try Self.asking {
            $0.httpVersion = .http2
            $0.unixSocket = .path(path)
        }
        let url = site.url(.https)
        #expect(try await client.fetch(url, options: options).text == "behind")
        isStrict.open()
        // With other versions of TLS, libcurl doesn't use the first connection, which stays open.
        // It keeps the second one although the request on it is aborted, and offers it to the next
        // request.
        let other = try Self.asking {
            $0.httpVersion = .http2
            $0.unixSocket = .path(path)
            $0.tls.maximumVersion = .v1_3
        }
        for _ in 0..<2 {
            let error = await client.failure(
                url,
                method: .post,
                body: .text("secret"),
                options: other
            )
            #expect(error?.code == .trustRefused)
        }
        #expect(site.server.requestCount == 1)
    }

    @Test func trustDecisionDoesNotApplyToOtherOptions() async throws {
        let site = try await Site()
        defer { site.stop() }
        let client = try client { _ in .accept }
        _ = try await client.fetch(site.url(.selfSigned))
        let strict = try PeerClient.options()
        let error = await client.failure(site.url(.selfSigned), options: strict)
        #expect(error?.code == .certificateUntrusted)
    }

    @Test func connectionWithoutTrustDecisionIsNotReused() async throws {
        let site = try await Site()
        defer { site.stop() }
        let questions = EventRecorder<ServerTrust>()
        let client = try client {
            questions.record($0)
            return .reject
        }
        let silent = try PeerClient.options()
        #expect(try await client.fetch(site.url(.https), options: silent).text == "behind")
        #expect(await client.failure(site.url(.https)) != nil)
        #expect(questions.events.count == 1)
        #expect(site.server.requestCount == 1)
    }

    @Test(arguments: [TrustDecision.accept, .reject])
    func delegateDecidesImmediatelyOrLater(decision: TrustDecision) async throws {
        let site = try await Site()
        defer { site.stop() }
        let transport = try Transport()
        for isLate in [false, true] {
            let delegate = TrustDelegate(isLate ? .later : decision)
            let request = TransferRequest(
                try HTTPRequest(url: site.url(.selfSigned)),
                options: try PreparedOptions(Self.asking())
            )
            let requests = site.server.requestCount
            let handle = transport.start(request, delegate: delegate)
            if isLate, decision == .reject || requests == 0 {
                _ = try await delegate.events.first { $0 == .asked }
                #expect(site.server.requestCount == requests)
                handle.answer(trust: decision)
            }
            let isAccepted = decision == .accept
            let end = try await delegate.events.first { $0 != .asked }
            #expect(end == (isAccepted ? .succeeded : .failed))
            #expect(site.server.requestCount == requests + (isAccepted ? 1 : 0))
        }
        await transport.shutdown()
    }

    @Test func http2StreamsShareTrustDecision() async throws {
        let site = try await Site()
        defer { site.stop() }
        let client = try client { _ in .accept }
        let options = try Self.asking { $0.httpVersion = .http2 }
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await client.fetch(site.url(.selfSigned), options: options).text
                }
            }
            for try await text in group { #expect(text == "behind") }
        }
        #expect(site.server.requestCount == 20)
    }
}

private final class TrustDelegate: TransferDelegate {
    enum Event {
        case asked
        case succeeded
        case failed
    }

    let events = EventRecorder<Event>()
    private let decision: TrustDecision

    init(_ decision: TrustDecision) { self.decision = decision }

    func transfer(_ transfer: TransferHandle, didReceive trust: ServerTrust) -> TrustDecision {
        events.record(.asked)
        return decision
    }

    func transfer(
        _ transfer: TransferHandle,
        didReceiveBody bytes: Span<UInt8>
    ) -> DeliveryDecision { .proceed }

    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
        events.record(error == nil ? .succeeded : .failed)
    }
}
