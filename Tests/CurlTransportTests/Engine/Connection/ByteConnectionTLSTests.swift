import CurlTransport
import TestSupport
import Testing

/// Byte connections over TLS, through a relay that terminates TLS.
@Suite(.enabled(if: TLSRelayPeer.isAvailable), .timeLimit(.minutes(10)))
struct ByteConnectionTLSTests {
    @Test func bytesGoBothWays() async throws {
        let rig = try await TLSRig()
        defer { rig.stop() }
        let recorder = ByteRecorder()
        let connection = try rig.connect(recorder)
        #expect(connection.send(Array("secret".utf8)) == .accepted)
        try await recorder.received("secret")
        connection.close()
        #expect(try await recorder.completion() == nil)
        let metrics = try #require(recorder.metrics)
        #expect(metrics.tlsVersion == "TLSv1.3")
        #expect(metrics.tlsEnd != nil)
        // The client offered no ALPN protocol.
        _ = try await rig.relay.output(containing: "ALPN None")
        try await rig.server.connectionClosed(0)
    }

    @Test func http2IsNotNegotiated() async throws {
        let rig = try await TLSRig()
        defer { rig.stop() }
        let recorder = ByteRecorder()
        let connection = try rig.connect(recorder, applicationProtocol: .http1) {
            $0.httpVersion = .http2
        }
        try await recorder.event(.open)
        connection.close()
        #expect(try await recorder.completion() == nil)
        _ = try await rig.relay.output(containing: "ALPN http/1.1")
    }

    /// The TLS library buffers whole records, which the socket no longer reports.
    @Test func bytesBufferedByTLSLibraryAreDelivered() async throws {
        let block = [UInt8](count: 16_000) { UInt8(truncatingIfNeeded: $0 &* 7) }
        let total = block.count * 200
        let rig = try await TLSRig([.sendRepeating(block, times: 200), .readUntilClosed])
        defer { rig.stop() }
        let recorder = ByteRecorder { $0.bytes = { _, _ in .pause } }
        let connection = try rig.connect(recorder)
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
        let rig = try await TLSRig()
        defer { rig.stop() }
        let recorder = ByteRecorder()
        let connection = try rig.connect(recorder)
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

    @Test func peersEndIsReported() async throws {
        let rig = try await TLSRig([.send("bye"), .close])
        defer { rig.stop() }
        let recorder = ByteRecorder { $0.end = { $0.close() } }
        try rig.connect(recorder)
        #expect(try await recorder.completion() == nil)
        #expect(recorder.text == "bye")
        #expect(recorder.events == [.open, .bytes, .end, .metrics, .completed(nil)])
    }

    // MARK: Trust

    @Test func untrustedServerIsRefused() async throws {
        let rig = try await TLSRig { $0.selfSigned }
        defer { rig.stop() }
        let recorder = ByteRecorder()
        try rig.connect(recorder)
        let error = try await recorder.failure()
        #expect(error.code == .certificateUntrusted)
        #expect(recorder.events == [.metrics, .completed(.certificateUntrusted)])
    }

    @Test func anotherHostsCertificateIsRefused() async throws {
        let rig = try await TLSRig { $0.otherHost }
        defer { rig.stop() }
        let recorder = ByteRecorder()
        try rig.connect(recorder)
        #expect(try await recorder.failure().code == .certificateHostname)
    }

    @Test(arguments: [true, false])
    func delegateMayAcceptUntrustedServer(_ isLate: Bool) async throws {
        let rig = try await TLSRig { $0.selfSigned }
        defer { rig.stop() }
        let asked = Gate()
        let answers: @Sendable (inout ByteRecorder.Answers) -> Void = { answers in
            answers.trust = { _, _ in
                asked.open()
                return isLate ? .later : .accept
            }
        }
        let recorder = ByteRecorder(answers)
        let connection = try rig.connect(recorder) { $0.tls.evaluatesServerTrust = true }
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
        // The decision doesn't apply to another connection. From libcurl 8.10 on, a resumed TLS
        // session has no certificates: without a full handshake there would be none to ask about.
        let again = ByteRecorder { $0.trust = { _, _ in .reject } }
        try rig.connect(again) { $0.tls.evaluatesServerTrust = true }
        #expect(try await again.failure().code == .trustRefused)
        #expect(again.questions == recorder.questions)
    }

    @Test(arguments: [TrustDecision.reject, .performDefaultHandling])
    func delegateMayRejectServer(_ decision: TrustDecision) async throws {
        let rig = try await TLSRig { $0.selfSigned }
        defer { rig.stop() }
        let recorder = ByteRecorder { $0.trust = { _, _ in decision } }
        let connection = try rig.connect(recorder) { $0.tls.evaluatesServerTrust = true }
        #expect(connection.send(Array("secret".utf8)) == .accepted)
        let expected: TransportError.Code =
            decision == .reject ? .trustRefused : .certificateUntrusted
        #expect(try await recorder.failure().code == expected)
        #expect(recorder.sent == 0)
    }

    @Test func unansweredTrustQuestionIsCancelled() async throws {
        let rig = try await TLSRig()
        defer { rig.stop() }
        let recorder = ByteRecorder { $0.trust = { _, _ in .later } }
        let connection = try rig.connect(recorder) { $0.tls.evaluatesServerTrust = true }
        try await recorder.event(.trust)
        connection.cancel()
        #expect(try await recorder.failure().code == .cancelled)
        #expect(recorder.events == [.trust, .metrics, .completed(.cancelled)])
    }

    @Test func pinMismatchIsRefused() async throws {
        let rig = try await TLSRig()
        defer { rig.stop() }
        let recorder = ByteRecorder()
        try rig.connect(recorder) {
            $0.tls.publicKeyPins = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        }
        #expect(try await recorder.failure().code == .pinMismatch)
    }

    @Test func clientPresentsItsCertificate() async throws {
        let rig = try await TLSRig(asksForCertificate: true)
        defer { rig.stop() }
        let client = rig.relay.certificates.client
        let recorder = ByteRecorder()
        let connection = try rig.connect(recorder) {
            $0.tls.clientIdentity = .pemFiles(
                certificate: client.certificate,
                key: client.key
            )
        }
        #expect(connection.send([65]) == .accepted)
        try await recorder.received("A")
        connection.close()
        #expect(try await recorder.completion() == nil)
    }
}
