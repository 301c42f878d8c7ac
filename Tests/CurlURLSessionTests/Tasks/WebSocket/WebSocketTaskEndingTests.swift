internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests how WebSocket tasks end, or fail to start.
@Suite(.timeLimit(.minutes(10))) struct WebSocketTaskEndingTests {
    @Test func serverCanCloseTheWebSocket() async throws {
        let server = try LoopbackServer.sockets {
            $0.opening = { _ in
                [
                    .send(ServerFrame.text("last").bytes),
                    .send(ServerFrame.close(1000, Array("done".utf8)).bytes),
                ]
            }
            $0.answer = { _ in nil }
        }
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        #expect(try await delegate.completion() == nil)
        #expect(
            delegate.events == [
                .open(nil), .close(1000, "done"), .metrics(1), .completed(nil),
            ]
        )
        expectText(try await task.receive(), "last")
        await expectFailure(.networkConnectionLost) { _ = try await task.receive() }
        await expectFailure(.networkConnectionLost) { try await task.send(.string("late")) }
        session.invalidateAndCancel()
    }

    @Test(arguments: [401, 302, 404])
    func otherStatusFailsTheHandshake(_ status: Int) async throws {
        let server = try LoopbackServer { _ in
            Reply(status, headers: [("Location", "/"), ("WWW-Authenticate", "Basic realm=\"x\"")])
        }
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        await expectFailure(.badServerResponse) { _ = try await task.receive() }
        #expect(try await delegate.completion() == URLError.Code.badServerResponse.rawValue)
        #expect((task.response as? HTTPURLResponse)?.statusCode == status)
        #expect(server.requestCount == 1)
        session.invalidateAndCancel()
    }

    @Test func lostConnectionFailsTheTask() async throws {
        let server = try LoopbackServer.sockets { $0.answer = { _ in [.reset] } }
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        try await task.send(.string("x"))
        await expectFailure(.networkConnectionLost) { _ = try await task.receive() }
        #expect(
            try await delegate.completion() == URLError.Code.networkConnectionLost.rawValue
        )
        #expect(task.closeCode == .abnormalClosure)
        session.invalidateAndCancel()
    }

    @Test func cancellingEndsTheWebSocketAtOnce() async throws {
        let server = try LoopbackServer.sockets()
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        let receiving = Task { try await task.receive() }
        try await delegate.opened()
        task.cancel()
        await expectFailure(.cancelled) { _ = try await receiving.value }
        #expect(try await delegate.completion() == URLError.Code.cancelled.rawValue)
        await expectFailure(.cancelled) { _ = try await task.receive() }
        try await server.connectionClosed(0)
        session.invalidateAndCancel()
    }

    @Test(arguments: [true, false])
    func webSocketNeverStartedCanBeCancelled(_ givesReason: Bool) async throws {
        let server = try LoopbackServer.sockets()
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        let results = EventRecorder<Int?>()
        task.receive { result in
            guard case .failure(let error) = result else { return results.record(nil) }
            results.record((error as? URLError)?.code.rawValue)
        }
        if givesReason {
            task.cancel(with: .normalClosure, reason: nil)
        } else {
            session.invalidateAndCancel()
        }
        #expect(try await delegate.completion() == URLError.Code.cancelled.rawValue)
        #expect(try await results.wait(count: 1) == [URLError.Code.cancelled.rawValue])
        task.resume()
        #expect(server.acceptedConnectionCount == 0)
        session.invalidateAndCancel()
    }

    @Test(arguments: ["ftp://127.0.0.1/", "relative"])
    func urlWithoutAWebSocketFailsTheTask(_ text: String) async throws {
        let session = URLSession.test(delegate: nil)
        let task = session.webSocketTask(with: try #require(URL(string: text)))
        task.resume()
        await expectFailure(.unsupportedURL) { _ = try await task.receive() }
        session.invalidateAndCancel()
    }

    @Test func taskWithoutASessionFails() async throws {
        let task = URLSessionWebSocketTask()
        await expectFailure(.unknown) { _ = try await task.receive() }
        task.cancel(with: .normalClosure, reason: nil)
    }

    @Test(.enabled(if: TLSRelayPeer.isAvailable))
    func untrustedServerFailsTheTask() async throws {
        let server = try LoopbackServer.sockets()
        let relay = try await TLSRelayPeer.start(port: server.port)
        defer { relay.stop() }
        let session = URLSession.test(delegate: nil)
        let url = try #require(URL(string: "wss://localhost:\(relay.port)/"))
        let task = session.webSocketTask(with: url)
        task.resume()
        do {
            _ = try await task.receive()
            Issue.record("it didn't fail")
        } catch {
            let code = (error as? URLError)?.code
            #expect(
                code == .serverCertificateUntrusted || code == .serverCertificateHasUnknownRoot
            )
        }
        session.invalidateAndCancel()
    }

    @Test func invalidatingASessionEndsItsWebSockets() async throws {
        let server = try LoopbackServer.sockets()
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        try await delegate.opened()
        session.finishTasksAndInvalidate()
        // The WebSocket stays usable until it is closed.
        try await task.send(.string("still"))
        expectText(try await task.receive(), "still")
        session.invalidateAndCancel()
        try await delegate.event(.invalid)
        #expect(
            delegate.events == [
                .open(nil), .metrics(1), .completed(URLError.Code.cancelled.rawValue), .invalid,
            ]
        )
        let late = session.webSocketTask(with: try server.socketURL)
        late.resume()
        await expectFailure(.cancelled) { try await late.send(.string("late")) }
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test func errorSetByTheProgramEndsTheTask() async throws {
        let server = try LoopbackServer.sockets()
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        try await delegate.opened()
        let receiving = Task { try await task.receive() }
        task.error = URLError(.dataNotAllowed)
        await expectFailure(.dataNotAllowed) { _ = try await receiving.value }
        #expect(try await delegate.completion() == URLError.Code.dataNotAllowed.rawValue)
        #expect((task.error as? URLError)?.code == .dataNotAllowed)
        session.invalidateAndCancel()
    }

    @Test func tasksOwnDelegateIsCalledFirst() async throws {
        let server = try LoopbackServer.sockets()
        let (own, other) = (SocketDelegate(), SocketDelegate())
        let session = URLSession.test(delegate: other)
        let task = session.webSocketTask(with: try server.socketURL)
        task.delegate = own
        task.resume()
        try await own.opened()
        task.cancel(with: .normalClosure, reason: nil)
        #expect(try await own.completion() == nil)
        #expect(
            own.events == [.open(nil), .close(1000, nil), .metrics(1), .completed(nil)]
        )
        #expect(other.events.isEmpty)
        session.invalidateAndCancel()
    }

    @Test func webSocketReleasesItsObjects() async throws {
        let server = try LoopbackServer.sockets()
        weak var delegate: SocketDelegate?
        weak var task: URLSessionWebSocketTask?
        do {
            let made = SocketDelegate()
            delegate = made
            let session = URLSession.test(delegate: made)
            let socket = session.webSocketTask(with: try server.socketURL)
            task = socket
            socket.receive { _ in extendLifetime(socket) }
            socket.resume()
            try await made.opened()
            session.invalidateAndCancel()
            try await made.event(.invalid)
        }
        try await server.connectionClosed(0)
        // The last delegate call may not have returned.
        try await Inspection.wait { [weak delegate, weak task] in delegate == nil && task == nil }
    }
}
