internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Bodies that expand without limit, with every kind of reader.
@Suite(.serialized, .timeLimit(.minutes(10))) struct BombTests {
    /// More responses than any reader requests besides the bomb.
    private static let answers: [Step] = (0..<1000).flatMap { _ in
        [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")]
    }

    /// A delegate that accepts everything doesn't block other transfers of its loop.
    @Test(arguments: Bomb.all)
    func decompressionBombDoesNotStarveOthers(_ bomb: Bomb) async throws {
        let hostile = try LoopbackServer.scripted([.readHead] + bomb.steps)
        let healthy = try LoopbackServer { _ in .text("healthy") }
        let transport = try Transport()
        let options = try PreparedOptions()
        let journal = TransferJournal()
        let handle = transport.start(
            TransferRequest(try HTTPRequest(url: hostile.url), options: options),
            delegate: journal
        )
        // Expands to 64 MiB or more.
        try await hostile.sent(1 << 16)
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

    @Test(arguments: Bomb.all, ["slow", "eager", "collect"])
    func decompressionBombUsesBoundedMemory(_ bomb: Bomb, _ reader: String) async throws {
        // The first connection gets the bomb; the others serve the requests that the slow reader
        // awaits.
        let server = try LoopbackServer.scripted { number in
            number == 0 ? [.readHead] + bomb.steps : Self.answers
        }
        let run = try await ProbeRun("TransportProbe", ["bomb-" + reader, server.url, "40"])
        #expect(run.status == 0, "\(run.output)")
        let peak = try #require(run.value("peak"))
        // The process alone takes 20 MB; without a bound it would take gigabytes. Sanitizers keep
        // freed memory.
        #expect(peak < Rounds.count(64, few: 400) << 20, "\(run.output)")
    }

    /// Each reader takes one piece and no more.
    @Test(arguments: Bomb.all)
    func fiftyBombsUseLittleMoreMemoryThanOne(_ bomb: Bomb) async throws {
        let server = try LoopbackServer.scripted([.readHead] + bomb.steps)
        let run = try await ProbeRun("TransportProbe", ["bomb-many", server.url, "50"])
        #expect(run.status == 0, "\(run.output)")
        let peak = try #require(run.value("peak"))
        // Each transfer has a window of 512 KiB, plus what libcurl reads at once and the decoder's
        // buffers. Without a bound each takes 25 MB or more.
        #expect(peak < Rounds.count(128, few: 600) << 20, "\(run.output)")
    }
}
