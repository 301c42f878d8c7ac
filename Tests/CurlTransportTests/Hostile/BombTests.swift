internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Bodies that expand beyond measure, to readers of every kind.
@Suite(.serialized, .timeLimit(.minutes(10))) struct BombTests {
    private static let bombs = [("gzip", Bomb.gzip), ("gzip, gzip", Bomb.nested)]

    /// More answers than any reader asks for beside a bomb.
    private static let answers: [Step] = (0..<1000).flatMap { _ in
        [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")]
    }

    /// A delegate that takes everything keeps the loop from nobody.
    @Test(arguments: 0..<2)
    func aBombLeavesTheLoopToOthers(_ kind: Int) async throws {
        let (coding, start) = Self.bombs[kind]
        let bomb = try LoopbackServer.scripted(HostileCase.bomb(coding, start))
        let healthy = try LoopbackServer { _ in .text("healthy") }
        let transport = try Transport()
        let options = try PreparedOptions()
        let journal = TransferJournal()
        let handle = transport.start(
            TransferRequest(try HTTPRequest(url: bomb.url), options: options),
            delegate: journal
        )
        try await bomb.sent(1 << 20)
        try await journal.wait(for: .body)
        for _ in 0..<5 {
            let other = TransferJournal()
            transport.start(
                TransferRequest(try HTTPRequest(url: healthy.url), options: options),
                delegate: other
            )
            #expect(try await other.completion() == nil)
        }
        if kind == 0 { handle.cancel() }
        let code = try await journal.completion()
        // The nested one is more than libcurl can keep from one turn to the next.
        #expect(code == (kind == 0 ? .cancelled : .decodingFailed))
        await transport.shutdown()
    }

    @Test(arguments: ["gzip", "gzip, gzip"], ["slow", "eager", "collect"])
    func aBombTakesBoundedMemory(_ coding: String, _ reader: String) async throws {
        let start = coding == "gzip" ? Bomb.gzip : Bomb.nested
        // The first connection gets the bomb; the others are for what the slow reader waits for.
        let server = try LoopbackServer.scripted { number in
            number == 0 ? HostileCase.bomb(coding, start) : Self.answers
        }
        let run = try await ProbeRun("TransportProbe", ["bomb-" + reader, server.url, "40"])
        #expect(run.status == 0, "\(run.output)")
        let peak = try #require(run.value("peak"))
        // libcurl keeps at most 64 MB of a paused body, and needs twice as much to grow there.
        // Unbounded, it would be gigabytes.
        #expect(peak < 300 << 20, "\(run.output)")
    }
}
