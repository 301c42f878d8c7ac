internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Bodies that expand without limit, with every kind of reader.
@Suite(.serialized, .timeLimit(.minutes(10))) struct BombTests {
    private static let bombs = [("gzip", Bomb.gzip), ("gzip, gzip", Bomb.nested)]

    /// More responses than any reader requests besides the bomb.
    private static let answers: [Step] = (0..<1000).flatMap { _ in
        [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")]
    }

    /// A delegate that accepts everything doesn't block other transfers of its loop.
    @Test(arguments: 0..<2)
    func decompressionBombDoesNotStarveOthers(_ kind: Int) async throws {
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
        handle.cancel()
        #expect(try await journal.completion() == .cancelled)
        await transport.shutdown()
    }

    @Test(arguments: ["gzip", "gzip, gzip"], ["slow", "eager", "collect"])
    func decompressionBombUsesBoundedMemory(_ coding: String, _ reader: String) async throws {
        let start = coding == "gzip" ? Bomb.gzip : Bomb.nested
        // The first connection gets the bomb; the others serve the requests that the slow reader
        // awaits.
        let server = try LoopbackServer.scripted { number in
            number == 0 ? HostileCase.bomb(coding, start) : Self.answers
        }
        let run = try await ProbeRun("TransportProbe", ["bomb-" + reader, server.url, "40"])
        #expect(run.status == 0, "\(run.output)")
        let peak = try #require(run.value("peak"))
        // The process alone takes 20 MB; without a bound it would take gigabytes. Sanitizers keep
        // freed memory.
        #expect(peak < Rounds.count(64, few: 400) << 20, "\(run.output)")
    }

    /// Each reader takes one piece and no more.
    @Test(arguments: ["gzip", "gzip, gzip"])
    func fiftyBombsUseLittleMoreMemoryThanOne(_ coding: String) async throws {
        let start = coding == "gzip" ? Bomb.gzip : Bomb.nested
        let server = try LoopbackServer.scripted(HostileCase.bomb(coding, start))
        let run = try await ProbeRun("TransportProbe", ["bomb-many", server.url, "50"])
        #expect(run.status == 0, "\(run.output)")
        let peak = try #require(run.value("peak"))
        // Each transfer has a window of 512 KiB, plus what libcurl reads at once.
        #expect(peak < Rounds.count(96, few: 600) << 20, "\(run.output)")
    }
}
