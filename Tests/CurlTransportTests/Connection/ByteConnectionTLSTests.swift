import CurlTransport
import TestSupport
import Testing

/// Over TLS, by way of a relay that takes it off.
@Suite(.enabled(if: TLSRelayPeer.isAvailable), .timeLimit(.minutes(10)))
struct ByteConnectionTLSTests {
    private static func echo() throws -> LoopbackServer {
        try .scripted([.converse { [.send($0)] }])
    }

    private static func trusting(
        _ change: @escaping (inout TransferOptions) -> Void = { _ in }
    ) throws -> (inout TransferOptions) -> Void {
        let authority = try Certificates.shared().authority
        return { options in
            options.tls.trustRoots = .file(authority)
            change(&options)
        }
    }

    @Test func bytesGoBothWays() async throws {
        let server = try Self.echo()
        let relay = try await TLSRelayPeer.start(port: server.port)
        defer { relay.stop() }
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            delegate: recorder,
            Self.trusting()
        )
        #expect(connection.send(Array("secret".utf8)) == .accepted)
        try await recorder.received("secret")
        connection.close()
        #expect(try await recorder.completion() == nil)
        let metrics = try #require(recorder.metrics)
        #expect(metrics.tlsVersion == "TLSv1.3")
        #expect(metrics.tlsEnd != nil)
        // Nothing was said about what is spoken.
        _ = try await relay.output(containing: "ALPN None")
        try await server.connectionClosed(0)
    }

    @Test func neverHTTP2() async throws {
        let server = try Self.echo()
        let relay = try await TLSRelayPeer.start(port: server.port)
        defer { relay.stop() }
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            applicationProtocol: .http1,
            delegate: recorder,
            Self.trusting { $0.httpVersion = .http2 }
        )
        try await recorder.event(.open)
        connection.close()
        #expect(try await recorder.completion() == nil)
        _ = try await relay.output(containing: "ALPN http/1.1")
    }

    /// TLS hands on whole records, of which the socket shows nothing any more.
    @Test func whatTheTLSLibraryHoldsIsNotForgotten() async throws {
        let block = (0..<16_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let total = block.count * 200
        let server = try LoopbackServer.scripted([
            .sendRepeating(block, times: 200), .readUntilClosed,
        ])
        let relay = try await TLSRelayPeer.start(port: server.port)
        defer { relay.stop() }
        let rig = try Rig()
        let recorder = ByteRecorder { $0.bytes = { _, _ in .pause } }
        let connection = try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            delegate: recorder,
            Self.trusting()
        )
        var count = 0
        while count < total {
            try await recorder.received(count + 1)
            count = recorder.byteCount
            connection.resumeReceiving()
        }
        #expect(recorder.bytes == Array(repeatElement(block, count: 200).joined()))
        connection.close()
        #expect(try await recorder.completion() == nil)
    }

    @Test func manyBytesComeBackInOrder() async throws {
        let server = try Self.echo()
        let relay = try await TLSRelayPeer.start(port: server.port)
        defer { relay.stop() }
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            delegate: recorder,
            Self.trusting()
        )
        var generator = SeededGenerator(seed: 3)
        var sent: [UInt8] = []
        for _ in 0..<150 {
            let count = Int.random(in: 1..<20_000, using: &generator)
            let piece = [UInt8](
                repeating: UInt8.random(in: 0...255, using: &generator),
                count: count
            )
            while connection.send(piece) == .full {
                try await recorder.sent(Int64(sent.count + count - 256 * 1024))
            }
            sent += piece
        }
        try await recorder.received(sent.count)
        #expect(recorder.bytes == sent)
        connection.close()
        #expect(try await recorder.completion() == nil)
    }

    @Test func thePeersEndIsTold() async throws {
        let server = try LoopbackServer.scripted([.send("bye"), .close])
        let relay = try await TLSRelayPeer.start(port: server.port)
        defer { relay.stop() }
        let rig = try Rig()
        let recorder = ByteRecorder { $0.end = { $0.close() } }
        try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            delegate: recorder,
            Self.trusting()
        )
        #expect(try await recorder.completion() == nil)
        #expect(recorder.text == "bye")
        #expect(recorder.events == [.open, .bytes, .end, .metrics, .completed(nil)])
    }

    // MARK: Trust

    @Test func anUntrustedServerIsRefused() async throws {
        let server = try Self.echo()
        let relay = try await TLSRelayPeer.start(port: server.port) { $0.selfSigned }
        defer { relay.stop() }
        let rig = try Rig()
        let recorder = ByteRecorder()
        try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            delegate: recorder,
            Self.trusting()
        )
        let error = try await recorder.failure()
        #expect(error.code == .certificateUntrusted)
        #expect(recorder.events == [.metrics, .completed(.certificateUntrusted)])
    }

    @Test func anotherHostsCertificateIsRefused() async throws {
        let server = try Self.echo()
        let relay = try await TLSRelayPeer.start(port: server.port) { $0.otherHost }
        defer { relay.stop() }
        let rig = try Rig()
        let recorder = ByteRecorder()
        try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            delegate: recorder,
            Self.trusting()
        )
        #expect(try await recorder.failure().code == .certificateHostname)
    }

    @Test(arguments: [true, false])
    func theDelegateHasTheLastWord(_ isLate: Bool) async throws {
        let server = try Self.echo()
        let relay = try await TLSRelayPeer.start(port: server.port) { $0.selfSigned }
        defer { relay.stop() }
        let rig = try Rig()
        let asked = Gate()
        let answers: @Sendable (inout ByteRecorder.Answers) -> Void = { answers in
            answers.trust = { _, _ in
                asked.open()
                return isLate ? .later : .accept
            }
        }
        let recorder = ByteRecorder(answers)
        let connection = try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            delegate: recorder,
            Self.trusting { $0.tls.evaluatesServerTrust = true }
        )
        #expect(connection.send([65]) == .accepted)
        try await asked.wait()
        if isLate {
            #expect(!recorder.events.contains(.open))
            connection.answer(trust: .accept)
        }
        try await recorder.received("A")
        #expect(recorder.questions.count == 1)
        #expect(recorder.questions.first?.failure?.code == .certificateUntrusted)
        #expect(recorder.questions.first?.certificates.count == 1)
        connection.close()
        #expect(try await recorder.completion() == nil)
        // The chain is known from now on.
        let again = ByteRecorder()
        let second = try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            delegate: again,
            Self.trusting { $0.tls.evaluatesServerTrust = true }
        )
        try await again.event(.open)
        #expect(again.questions.isEmpty)
        second.close()
    }

    @Test(arguments: [TrustDecision.reject, .useVerdict])
    func theDelegateRefuses(_ decision: TrustDecision) async throws {
        let server = try Self.echo()
        let relay = try await TLSRelayPeer.start(port: server.port) { $0.selfSigned }
        defer { relay.stop() }
        let rig = try Rig()
        let recorder = ByteRecorder { $0.trust = { _, _ in decision } }
        let connection = try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            delegate: recorder,
            Self.trusting { $0.tls.evaluatesServerTrust = true }
        )
        #expect(connection.send(Array("secret".utf8)) == .accepted)
        let expected: TransportError.Code =
            decision == .reject ? .trustRefused : .certificateUntrusted
        #expect(try await recorder.failure().code == expected)
        #expect(recorder.sent == 0)
    }

    @Test func aQuestionThatNobodyAnswersIsCancelled() async throws {
        let server = try Self.echo()
        let relay = try await TLSRelayPeer.start(port: server.port)
        defer { relay.stop() }
        let rig = try Rig()
        let recorder = ByteRecorder { $0.trust = { _, _ in .later } }
        let connection = try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            delegate: recorder,
            Self.trusting { $0.tls.evaluatesServerTrust = true }
        )
        try await recorder.event(.trust)
        connection.cancel()
        #expect(try await recorder.failure().code == .cancelled)
        #expect(recorder.events == [.trust, .metrics, .completed(.cancelled)])
    }

    @Test func aPinThatDoesNotMatchIsRefused() async throws {
        let server = try Self.echo()
        let relay = try await TLSRelayPeer.start(port: server.port)
        defer { relay.stop() }
        let rig = try Rig()
        let recorder = ByteRecorder()
        try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            delegate: recorder,
            Self.trusting {
                $0.tls.publicKeyPins = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
            }
        )
        #expect(try await recorder.failure().code == .pinMismatch)
    }

    @Test func aClientShowsItsCertificate() async throws {
        let server = try Self.echo()
        let relay = try await TLSRelayPeer.start(port: server.port, asksForCertificate: true)
        defer { relay.stop() }
        let client = relay.certificates.client
        let rig = try Rig()
        let recorder = ByteRecorder()
        let connection = try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            delegate: recorder,
            Self.trusting {
                $0.tls.clientIdentity = .pemFiles(
                    certificate: client.certificate,
                    key: client.key
                )
            }
        )
        #expect(connection.send([65]) == .accepted)
        try await recorder.received("A")
        connection.close()
        #expect(try await recorder.completion() == nil)
    }
}
