import Posix
import TestSupport
import Testing

@testable import Curl

/// Facts about TLS connections, and their errors.
@Suite(.timeLimit(.minutes(10)), .enabled(if: OpenSSLPeer.isAvailable)) struct TLSInfoTests {
    @Test("A connected handle has TLS version, cipher and certificates")
    func handshakeIsKnown() async throws {
        let peer = try await OpenSSLPeer.start([
            "-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-GCM-SHA384",
        ])
        defer { peer.stop() }
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle(peer.url, transfer)
        try easy.set([
            .text(.caInfo, peer.certificates.authority), .flag(.certInfo, true),
            .flag(.verbose, true),
        ])
        #expect(loop.multi.add(easy) == .ok)
        // Paused, because the server closes the connection after its answer.
        transfer.bodyActions = [.pause]
        try loop.turns { transfer.bodyActions.isEmpty }
        let info = easy.tls
        #expect(info == TLSInfo(version: "TLSv1.2", cipher: "ECDHE-ECDSA-AES256-GCM-SHA384"))
        #expect(easy.tls == info, "the second answer is the kept one")
        #expect(easy.pause(receiving: false, sending: false) == .ok)
        #expect(try loop.finish(easy) == .ok)
        #expect(easy.get(.sslVerifyResult) == 0)
        #expect(easy.get(.appConnectTime).map { $0 > 0 } == true)
        let certificates = easy.certificates
        #expect(certificates.count == 1, "the server sends its own")
        #expect(certificates.first?.contains { $0.hasPrefix("Subject:") } == true)
        #expect(certificates.allSatisfy { $0.contains { $0.hasPrefix("Cert:-----BEGIN") } })
        #expect(!transfer.logged(.tlsSent).isEmpty && !transfer.logged(.tlsReceived).isEmpty)
        #expect(transfer.bodyText.contains("ECDHE-ECDSA-AES256-GCM-SHA384"))
    }

    @Test("If the server's authority is unknown, no request is sent, and the error says why")
    func unknownAuthorityHasItsReason() async throws {
        let peer = try await OpenSSLPeer.start()
        defer { peer.stop() }
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle(peer.url, transfer)
        #expect(try loop.run(easy) == .peerFailedVerification)
        #expect(easy.errorText.contains("certificate"), "\(easy.errorText)")
        #expect(easy.get(.sslVerifyResult) != 0)
        #expect(transfer.ends == [] && transfer.headerLines == [])
    }

    @Test("A certificate authority can be given in memory")
    func authorityInMemoryIsTrusted() async throws {
        let peer = try await OpenSSLPeer.start()
        defer { peer.stop() }
        let file = try FileDescriptor.openForReading(peer.certificates.authority)
        let authority = try file.bytes(at: 0, upTo: 100_000)
        let loop = try TestLoop()
        let easy = try loop.makeHandle(peer.url, RecordedTransfer(loop.events))
        try easy.set(.caInfoBlob, authority)
        #expect(try loop.run(easy) == .ok)
    }

    @Test(
        "Transfers that share a cache resume a TLS session; others do only from libcurl 8.12 on",
        arguments: [true, false]
    )
    func sharedCacheResumesSessions(isShared: Bool) async throws {
        let peer = try await OpenSSLPeer.start(["-tls1_2"])
        defer { peer.stop() }
        let share = try ShareHandle()
        let loop = try TestLoop()
        var pages: [String] = []
        for _ in 0..<2 {
            let transfer = RecordedTransfer(loop.events)
            let easy = try loop.makeHandle(peer.url, transfer)
            try easy.set([
                .text(.caInfo, peer.certificates.authority), .flag(.forbidReuse, true),
            ])
            if isShared { try easy.set(share: share) }
            #expect(try loop.run(easy) == .ok)
            pages.append(transfer.bodyText)
        }
        #expect(pages[0].contains("New, ") && !pages[0].contains("Reused, "))
        // From 8.12 on a multi handle has a cache for all its transfers.
        let resumes = isShared || CurlVersion.current.isAtLeast(8, 12)
        #expect(pages[1].contains("Reused, ") == resumes, "\(pages[1])")
    }
}
