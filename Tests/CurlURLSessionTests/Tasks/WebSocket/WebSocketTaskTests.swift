internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests the messages of WebSocket tasks.
@Suite(.timeLimit(.minutes(10))) struct WebSocketTaskTests {
    @Test("E5: Messages are sent both ways, and the delegate gets its events in order")
    func messagesGoBothWaysWithEventsInOrder() async throws {
        let server = try LoopbackServer.sockets { $0.fields = "Sec-WebSocket-Protocol: chat\r\n" }
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL, protocols: ["chat", "talk"])
        #expect(task.closeCode == .invalid && task.closeReason == nil)
        task.resume()
        try await task.send(.string("größer"))
        expectText(try await task.receive(), "größer")
        try await task.send(.data(Data([0, 255])))
        guard case .data(let data) = try await task.receive() else {
            Issue.record("no data")
            return
        }
        #expect(data == Data([0, 255]))
        #expect((task.response as? HTTPURLResponse)?.statusCode == 101)
        #expect(task.state == .running)
        task.cancel(with: .goingAway, reason: Data("bye".utf8))
        #expect(try await delegate.completion() == nil)
        #expect(
            delegate.events == [
                .open("chat"), .close(1001, "bye"), .metrics(1), .completed(nil),
            ]
        )
        #expect(task.closeCode == .goingAway && task.closeReason == Data("bye".utf8))
        #expect(task.error == nil && task.state == .completed)
        session.invalidateAndCancel()
    }

    @Test func handlersAreCalledOnTheDelegateQueue() async throws {
        let server = try LoopbackServer.sockets()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession.test(queue: queue)
        let task = session.webSocketTask(with: try server.socketURL)
        let results = EventRecorder<Bool>()
        task.send(.string("one")) { error in
            results.record(error == nil && OperationQueue.current === queue)
        }
        task.receive { result in
            let isText = if case .success(.string("one")) = result { true } else { false }
            results.record(isText && OperationQueue.current === queue)
        }
        task.sendPing { error in
            results.record(error == nil && OperationQueue.current === queue)
        }
        task.resume()
        #expect(try await results.wait(count: 3) == [true, true, true])
        session.invalidateAndCancel()
    }

    @Test("E5: A received message that exceeds the maximum size fails the task")
    func tooBigMessageFailsTheTask() async throws {
        let server = try LoopbackServer.sockets()
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        #expect(task.maximumMessageSize == 1 << 20)
        task.maximumMessageSize = 10
        task.resume()
        try await task.send(.string("0123456789"))
        expectText(try await task.receive(), "0123456789")
        try await task.send(.string("0123456789a"))
        await expectFailure(.dataLengthExceedsMaximum) { _ = try await task.receive() }
        #expect(
            try await delegate.completion() == URLError.Code.dataLengthExceedsMaximum.rawValue
        )
        #expect(task.closeCode == .messageTooBig)
        session.invalidateAndCancel()
    }

    @Test("A frame of the maximum length is read as it arrives", arguments: [UInt8(0x81), 0x82])
    func frameOfGreatestLengthIsRead(_ first: UInt8) async throws {
        let header = [first, 127, 0x7F] + [UInt8](repeating: 0xFF, count: 7)
        let server = try LoopbackServer.sockets { script in
            // The payload starts in the same piece as the header. Then the connection closes.
            script.opening = { _ in [.send(header + Array("beginning".utf8)), .close] }
        }
        let session = URLSession.test()
        let task = session.webSocketTask(with: try server.socketURL)
        task.maximumMessageSize = .max
        task.resume()
        await expectFailure(.networkConnectionLost) { _ = try await task.receive() }
        session.invalidateAndCancel()
    }

    @Test("A frame that extends a message beyond the largest limit is refused")
    func messageBeyondTheGreatestLimitIsRefused() async throws {
        let header = [0, 127, 0x7F] + [UInt8](repeating: 0xFF, count: 7)
        let server = try LoopbackServer.sockets { script in
            script.opening = { _ in
                [.send(ServerFrame.binary([1, 2, 3], isFinal: false).bytes + header + [4])]
            }
        }
        let session = URLSession.test()
        let task = session.webSocketTask(with: try server.socketURL)
        task.maximumMessageSize = .max
        task.resume()
        await expectFailure(.dataLengthExceedsMaximum) { _ = try await task.receive() }
        session.invalidateAndCancel()
    }

    @Test func messageSentBeforeResumeWaits() async throws {
        let server = try LoopbackServer.sockets()
        let session = URLSession.test()
        let task = session.webSocketTask(with: try server.socketURL)
        async let sent: Void = task.send(.string("early"))
        async let pong: Void = task.sendPing()
        let received = Task { try await task.receive() }
        #expect(server.acceptedConnectionCount == 0)
        #expect(task.state == .suspended)
        task.resume()
        expectText(try await received.value, "early")
        try await sent
        try await pong
        session.invalidateAndCancel()
    }

    @Test func cancelledReceiveTakesNoMessage() async throws {
        let gate = Gate()
        let server = try LoopbackServer.sockets {
            $0.opening = { _ in [.waitFor(gate), .send(ServerFrame.text("kept").bytes)] }
        }
        let session = URLSession.test()
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        let waiting = Task { try await task.receive() }
        waiting.cancel()
        await expectFailure(.cancelled) { _ = try await waiting.value }
        gate.open()
        expectText(try await task.receive(), "kept")
        #expect(task.state == .running)
        session.invalidateAndCancel()
    }

    @Test func manyMessagesKeepTheirOrder() async throws {
        let server = try LoopbackServer.sockets()
        let session = URLSession.test()
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        let count = 500
        for number in 0..<count {
            task.send(.string("\(number)")) { error in #expect(error == nil) }
        }
        let received = EventRecorder<String>()
        for _ in 0..<count {
            task.receive { result in
                if case .success(.string(let text)) = result { received.record(text) }
            }
        }
        #expect(try await received.wait(count: count) == (0..<count).map { "\($0)" })
        session.invalidateAndCancel()
    }

    @Test("E5: Messages are sent over TLS", .enabled(if: TLSRelayPeer.isAvailable))
    func messagesGoOverTLS() async throws {
        let server = try LoopbackServer.sockets()
        let relay = try await TLSRelayPeer.start(port: server.port)
        defer { relay.stop() }
        let delegate = SocketDelegate { challenge, completion in
            let trust = challenge.protectionSpace.serverTrust
            completion(.useCredential, trust.map { URLCredential(trust: $0) })
        }
        let session = URLSession.test(delegate: delegate)
        let url = try #require(URL(string: "wss://localhost:\(relay.port)/socket"))
        let task = session.webSocketTask(with: url)
        task.resume()
        let long = String(repeating: "größer", count: 60_000)
        try await task.send(.string(long))
        expectText(try await task.receive(), long)
        task.cancel(with: .normalClosure, reason: nil)
        #expect(try await delegate.completion() == nil)
        #expect(
            delegate.events == [
                .challenge(NSURLAuthenticationMethodServerTrust), .open(nil), .close(1000, nil),
                .metrics(1), .completed(nil),
            ]
        )
        session.invalidateAndCancel()
    }
}
