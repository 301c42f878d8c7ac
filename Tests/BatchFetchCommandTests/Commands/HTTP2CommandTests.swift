import Foundation
import TestSupport
import Testing

/// Runs the command with HTTP/2.
@Suite(.timeLimit(.minutes(10))) struct HTTP2CommandTests {
    private func fetch(_ peer: NghttpdPeer, _ option: String) async throws -> [ResultLine] {
        let list = (0..<40).map { "\(peer.url())?\($0)\n" }.joined()
        let run = try CommandRun(
            program: "/usr/bin/env",
            [
                "SSL_CERT_FILE=\(peer.certificates.authority)", CommandRun.executable(),
                option, "--retries", "0", "--discard", "--per-host", "8", "--results", "-", "-",
            ]
        )
        try run.write(list)
        try run.closeInput()
        return try ResultLine.lines(try await run.ending().output)
    }

    @Test(.enabled(if: NghttpdPeer.isAvailable))
    func urlsOfAHostShareAnHTTP2Connection() async throws {
        let peer = try await NghttpdPeer.start()
        defer { peer.stop() }
        let lines = try await fetch(peer, "--http2")
        #expect(lines.count == 40)
        #expect(lines.allSatisfy { $0.ok && $0.http_version == "2" && $0.bytes == 13 })
        #expect(lines.count { !$0.reused } == 1)
    }

    @Test(.enabled(if: NghttpdPeer.isAvailable))
    func noHTTP2FailsWithAServerThatSpeaksOnlyHTTP2() async throws {
        let peer = try await NghttpdPeer.start()
        defer { peer.stop() }
        let lines = try await fetch(peer, "--no-http2")
        #expect(lines.count == 40)
        #expect(lines.allSatisfy { !$0.ok && $0.http_version != "2" })
    }
}
