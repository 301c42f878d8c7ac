internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct LoopThreadTests {
    @Test func loopsBlockEverySignal() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try HTTPClient()
        _ = try await client.send(HTTPRequest(url: server.url))
        let threads = ThreadFacts.threads(namePrefix: "curl-")
        #expect(!threads.isEmpty)
        // All signals that can be blocked: all except SIGKILL, SIGSTOP, and 32 and 33, which the C
        // library reserves.
        let blockable = ~UInt64(0) & ~(1 << 8 | 1 << 18 | 1 << 31 | 1 << 32)
        for thread in threads {
            let blocked = ThreadFacts(thread: thread).blockedSignals
            // A thread of another test may have ended meanwhile.
            guard ThreadFacts.threads(namePrefix: "curl-").contains(thread) else { continue }
            #expect(blocked & blockable == blockable)
        }
        await client.shutdown()
    }

    /// The body arrives faster than it is read; the delegate accepts everything.
    @Test func fastTransferDoesNotStarveOthers() async throws {
        let flood = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\n\r\n"),
            .sendRepeating([UInt8](repeating: 1, count: 1 << 16), times: nil),
        ])
        let healthy = try LoopbackServer { _ in .text("x") }
        let transport = try Transport()
        let options = try PreparedOptions()
        let journal = TransferJournal()
        let handle = transport.start(
            TransferRequest(try HTTPRequest(url: flood.url), options: options),
            delegate: journal
        )
        try await flood.sent(8 << 20)
        for _ in 0..<20 {
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
}
