internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct CancellationTests {
    typealias Event = RecordingDelegate.Event

    @Test func queuedTransferIsCancelled() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let rig = try Rig { $0.maximumConnectionsPerHost = 1 }
        let first = RecordingDelegate()
        let second = RecordingDelegate()
        let third = RecordingDelegate()
        try rig.start(server.url, delegate: first)
        let handle = try rig.start(server.url, delegate: second)
        try rig.start(server.url, delegate: third)
        _ = try await server.requestHead(0)
        handle.cancel()
        #expect(try await second.failure().code == .cancelled)
        #expect(second.events == [.metrics, .completed(.cancelled)])
        gate.open()
        #expect(try await first.completion() == nil)
        #expect(try await third.completion() == nil)
        #expect(server.requestCount == 2)
    }

    @Test func connectingTransferIsCancelled() async throws {
        let listener = try FullListener()
        let rig = try Rig()
        let delegate = RecordingDelegate()
        let handle = try rig.start(listener.url, delegate: delegate) { $0.timeouts.connect = nil }
        // A later request that completes shows that the first has begun to connect.
        let server = try LoopbackServer { _ in .text("x") }
        try await rig.fetch(server.url)
        handle.cancel()
        #expect(try await delegate.failure().isCancelled)
        #expect(delegate.events == [.metrics, .completed(.cancelled)])
    }

    /// Each script stops at another point of the response.
    @Test(arguments: [
        "", "HTTP/1.1 200 O", "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "HTTP/1.1 103 Early\r\n\r\n",
    ])
    func silentServerDoesNotDelayCancellation(_ sent: String) async throws {
        let server = try LoopbackServer.scripted([.readHead, .send(sent), .stall])
        let rig = try Rig()
        let delegate = RecordingDelegate()
        // No timeout can end it.
        let handle = try rig.start(server.url, delegate: delegate) {
            $0.timeouts = Timeouts(connect: nil, idle: nil)
        }
        _ = try await server.requestHead(0)
        if !sent.isEmpty { try await server.sent(sent.utf8.count) }
        if sent.contains("\r\n\r\n") { try await delegate.turnOfHead() }
        handle.cancel()
        #expect(try await delegate.failure().code == .cancelled)
        #expect(delegate.events.suffix(2) == [.metrics, .completed(.cancelled)])
        // The connection can't be reused, so it is closed.
        try await server.connectionClosed(0)
    }

    @Test func pausedTransferIsCancelled() async throws {
        let server = try LoopbackServer { _ in
            Reply(body: .repeating([UInt8](repeating: 1, count: 4096), times: 4096))
        }
        let rig = try Rig()
        let delegate = RecordingDelegate { $0.body = { _, _ in .pause } }
        let handle = try rig.start(server.url, delegate: delegate)
        try await server.blocked()
        handle.cancel()
        #expect(try await delegate.failure().code == .cancelled)
        try await server.connectionClosed(0)
    }

    @Test func unreadUploadIsCancelled() async throws {
        var options = ServerOptions()
        options.receiveBufferBytes = 8192
        let server = try LoopbackServer.scripted(options: options, [.readHead, .stall])
        let rig = try Rig()
        let delegate = RecordingDelegate()
        let handle = try rig.start(
            server.url,
            method: .post,
            body: .bytes([UInt8](repeating: 1, count: 32 << 20)),
            delegate: delegate
        )
        _ = try await server.requestHead(0)
        handle.cancel()
        let error = try await delegate.failure()
        #expect(error.code == .cancelled)
        #expect(!delegate.events.contains(.requestSent))
    }

    @Test func uploadOfStalledStreamIsCancelled() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        let delegate = RecordingDelegate()
        let stream = SilentStream(after: [[1, 2, 3]])
        let handle = try rig.start(
            server.url,
            method: .post,
            body: .stream(stream),
            delegate: delegate
        )
        _ = try await server.requestHead(0)
        handle.cancel()
        #expect(try await delegate.failure().code == .cancelled)
        // The producer is released too.
        try await stream.wasLetGo.wait()
        try await server.connectionClosed(0)
    }

    /// After a cancellation in any callback, only the end follows.
    @Test(arguments: [
        Event.requestSent, .informational(103), .redirect(302, to: "URL/end"), .head(200),
        .body(2), .trailers(["T: v"]), .endTurn, .metrics, .completed(nil),
    ])
    func transferIsCancelledInsideCallback(_ moment: Event) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.path == "/end"
                ? .chunked([[65, 66]], trailers: [("T", "v")]).interim(103)
                : .redirect(to: "/end").interim(103)
        }
        let moment =
            if case .redirect(let code, _) = moment {
                Event.redirect(code, to: server.url + "/end")
            } else {
                moment
            }
        let rig = try Rig()
        let delegate = RecordingDelegate { answers in
            answers.act = { event, transfer in
                guard event == moment, !gate.isOpen else { return }
                gate.open()
                transfer.cancel()
            }
        }
        try rig.start(server.url + "/start", delegate: delegate)
        let error = try await delegate.completion()
        let events = delegate.events
        let index = try #require(events.firstIndex(of: moment))
        let rest = events[(index + 1)...]
        switch moment {
        case .metrics:
            #expect(rest == [.completed(nil)])
        case .completed:
            #expect(rest.isEmpty)
        case .trailers:
            // Trailers are delivered when the transfer is already complete.
            #expect(rest == [.metrics, .completed(nil)])
        default:
            #expect(error?.code == .cancelled)
            #expect(rest == [.metrics, .completed(.cancelled)])
        }
        #expect(events.count { if case .completed = $0 { true } else { false } } == 1)
    }

    @Test(arguments: [Event.head(200), .body(2)])
    func delegateCancelsByItsDecision(_ moment: Event) async throws {
        let server = try LoopbackServer { _ in .text("ab") }
        let rig = try Rig()
        let delegate = RecordingDelegate { answers in
            answers.head = { _, _ in moment == .head(200) ? .cancel : .proceed }
            answers.body = { _, _ in .cancel }
        }
        try rig.start(server.url, delegate: delegate)
        #expect(try await delegate.failure().code == .cancelled)
        let rest = delegate.events.drop { $0 != moment }
        #expect(rest == [moment, .metrics, .completed(.cancelled)])
    }

    @Test func cancelAfterCompletionDoesNothing() async throws {
        let server = try LoopbackServer { _ in .text("ab") }
        let rig = try Rig()
        let delegate = RecordingDelegate()
        let handle = try rig.start(server.url, delegate: delegate)
        _ = try await delegate.completion()
        let events = delegate.events
        handle.cancel()
        handle.resumeReceiving()
        handle.answer(redirect: .follow)
        try await rig.fetch(server.url)
        #expect(delegate.events == events)
        // The connection stayed open.
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test func concurrentCancelsCompleteOnce() async throws {
        let server = try LoopbackServer { _ in .text("ab") }
        let rig = try Rig()
        for _ in 0..<100 {
            let delegate = RecordingDelegate()
            let handle = try rig.start(server.url, delegate: delegate)
            handle.cancel()
            handle.cancel()
            let code = try await delegate.completion()?.code
            // It may have completed before.
            #expect(code == nil || code == .cancelled)
            #expect(delegate.events.suffix(2) == [.metrics, .completed(code)])
        }
        let last = try await rig.fetch(server.url)
        #expect(last.bodyText == "ab")
    }

    @Test func otherTransfersContinueWhenOneIsCancelled() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("ab").after(gate) }
        let rig = try Rig()
        let delegates = (0..<20).map { _ in RecordingDelegate() }
        var handles: [TransferHandle] = []
        for delegate in delegates {
            handles.append(try rig.start(server.url, delegate: delegate))
        }
        try await server.requests(count: 20)
        for index in stride(from: 0, to: 20, by: 2) { handles[index].cancel() }
        for index in stride(from: 0, to: 20, by: 2) {
            #expect(try await delegates[index].failure().code == .cancelled)
        }
        gate.open()
        for index in stride(from: 1, to: 20, by: 2) {
            #expect(try await delegates[index].completion() == nil)
            #expect(delegates[index].bodyText == "ab")
        }
    }
}
