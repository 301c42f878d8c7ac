internal import CurlTransport
internal import HTTPTypes
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct ShutdownTests {
    /// A request to `url` with default options.
    private func request(_ url: String) throws -> TransferRequest {
        TransferRequest(try HTTPRequest(url: url), options: try PreparedOptions())
    }

    /// Expects one completion with `code` as the last event, after the metrics.
    private func expectEnd(_ journal: TransferJournal, _ code: TransportError.Code) {
        #expect(journal.completions == 1)
        #expect(journal.milestones.suffix(2) == [.metrics, .completed(code)])
    }

    @Test(arguments: Situation.all)
    func shutdownEndsTransferInEveryState(_ situation: Situation) async throws {
        let scene = try await situation.scene()
        await scene.transport.shutdown()
        #expect(try await scene.journal.completion() == .shutdown)
        expectEnd(scene.journal, .shutdown)
        if situation.isHeardByServer { try await scene.server.openConnections(0) }
    }

    @Test(arguments: Situation.all)
    func cancelEndsTransferInEveryState(_ situation: Situation) async throws {
        let scene = try await situation.scene()
        scene.handle.cancel()
        #expect(try await scene.journal.completion() == .cancelled)
        scene.handle.cancel()
        scene.handle.resumeReceiving()
        scene.handle.answer(redirect: .follow)
        await scene.transport.shutdown(.finish)
        expectEnd(scene.journal, .cancelled)
    }

    @Test(arguments: Situation.all)
    func releasingTransportEndsTransferInEveryState(_ situation: Situation) async throws {
        let (server, journal) = try await {
            let scene = try await situation.scene()
            return (scene.server, scene.journal)
        }()
        #expect(try await journal.completion() == .shutdown)
        expectEnd(journal, .shutdown)
        if situation.isHeardByServer { try await server.openConnections(0) }
    }

    @Test func shutdownEndsQueuedTransfers() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let transport = try Transport(configuration: configuration)
        let journals = (0..<1_000).map { _ in TransferJournal() }
        for journal in journals { transport.start(try request(server.url), delegate: journal) }
        try await server.requests(count: 1)
        await transport.shutdown()
        for journal in journals { expectEnd(journal, .shutdown) }
        #expect(server.requestCount == 1)
    }

    @Test func finishingShutdownCompletesRunningTransfers() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("done").after(gate) }
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 2
        let transport = try Transport(configuration: configuration)
        let journals = (0..<10).map { _ in TransferJournal() }
        for journal in journals { transport.start(try request(server.url), delegate: journal) }
        try await server.requests(count: 2)
        let isOver = Watched(false)
        async let end: Void = {
            await transport.shutdown(.finish)
            isOver.update { $0 = true }
        }()
        // The transport accepts no new transfer while the others finish.
        let late = TransferJournal()
        transport.beginShutdown(.finish)
        transport.start(try request(server.url), delegate: late)
        #expect(try await late.completion() == .shutdown)
        #expect(!isOver.read { $0 })
        gate.open()
        await end
        for journal in journals {
            #expect(journal.milestones.last == .completed(nil))
            #expect(journal.completions == 1)
        }
        #expect(server.requestCount == 10)
    }

    @Test func cancellingShutdownOverridesFinishing() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let transport = try Transport()
        let journal = TransferJournal()
        transport.start(try request(server.url), delegate: journal)
        try await server.requests(count: 1)
        async let finish: Void = transport.shutdown(.finish)
        await transport.shutdown(.cancel)
        await finish
        expectEnd(journal, .shutdown)
    }

    @Test(arguments: [
        TransferJournal.Event.sent, .informational, .redirect, .head(200), .body, .trailers,
        .metrics, .completed(nil),
    ])
    func delegateMayShutTransportDown(_ moment: TransferJournal.Event) async throws {
        let server = try LoopbackServer { request in
            request.path == "/end"
                ? .chunked([Array("body".utf8)], trailers: [("T", "v")]).interim(103)
                : .redirect(to: "/end")
        }
        let transport = try Transport()
        var answers = TransferJournal.Answers()
        answers.act = { event in
            if event == moment { transport.beginShutdown() }
        }
        let journal = TransferJournal(answers)
        transport.start(try request(server.url), delegate: journal)
        let code = try await journal.completion()
        await transport.shutdown()
        #expect(journal.completions == 1)
        switch moment {
        case .completed: #expect(journal.milestones.last == .completed(nil))
        default: #expect(journal.milestones.contains(moment))
        }
        switch moment {
        case .trailers, .metrics, .completed: #expect(code == nil)
        // The whole response may have arrived in the same turn.
        default: #expect(code == nil || code == .shutdown)
        }
        let late = TransferJournal()
        transport.start(try request(server.url), delegate: late)
        #expect(try await late.completion() == .shutdown)
    }

    @Test func delegateMayStartTransferDuringShutdown() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let transport = try Transport()
        let next = TransferJournal()
        let another = try request(server.url)
        var answers = TransferJournal.Answers()
        answers.act = { event in
            if event == .completed(.shutdown) { transport.start(another, delegate: next) }
        }
        let journal = TransferJournal(answers)
        transport.start(try request(server.url), delegate: journal)
        try await server.requests(count: 1)
        await transport.shutdown()
        expectEnd(journal, .shutdown)
        #expect(try await next.completion() == .shutdown)
        #expect(next.completions == 1)
    }

    @Test func concurrentShutdownsAllWaitForThreads() async throws {
        for _ in 0..<20 {
            let server = try LoopbackServer { _ in .text("x") }
            var configuration = TransportConfiguration()
            configuration.eventLoopCount = 3
            let transport = try Transport(configuration: configuration)
            let journal = TransferJournal()
            transport.start(try request(server.url), delegate: journal)
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<8 {
                    group.addTask { await transport.shutdown(index % 2 == 0 ? .cancel : .finish) }
                }
            }
            #expect(journal.completions == 1)
            await transport.shutdown()
        }
    }

    @Test func startAfterShutdownCompletesOnce() async throws {
        let transport = try Transport()
        await transport.shutdown()
        let journal = TransferJournal()
        let handle = transport.start(try request("http://127.0.0.1:1/"), delegate: journal)
        expectEnd(journal, .shutdown)
        handle.cancel()
        handle.resumeReceiving()
        #expect(journal.completions == 1)
    }

    @Test func startDuringShutdownCompletesOnce() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let prepared = try request(server.url)
        for _ in 0..<10 {
            let transport = try Transport()
            let journals = (0..<200).map { _ in TransferJournal() }
            await withTaskGroup(of: Void.self) { group in
                for part in 0..<4 {
                    group.addTask {
                        for index in 0..<50 {
                            transport.start(prepared, delegate: journals[part * 50 + index])
                        }
                    }
                }
                group.addTask { await transport.shutdown() }
            }
            await transport.shutdown()
            for journal in journals {
                let code = try await journal.completion()
                #expect(code == nil || code == .shutdown)
                #expect(journal.completions == 1)
            }
        }
    }

    @Test func sharedTransportCannotBeShutDown() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        await Transport.shared.shutdown()
        Transport.shared.beginShutdown()
        let journal = TransferJournal()
        Transport.shared.start(try request(server.url), delegate: journal)
        #expect(try await journal.completion() == nil)
    }

    @Test func shutDownClientThrowsShutdown() async throws {
        let client = try HTTPClient()
        await client.shutdown()
        await #expect(throws: TransportError.self) {
            _ = try await client.send(HTTPRequest(url: "http://127.0.0.1:1/"))
        }
    }
}
