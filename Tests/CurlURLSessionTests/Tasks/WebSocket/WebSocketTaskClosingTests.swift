internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests the order of messages and the close, and closes that one side doesn't answer.
@Suite(.timeLimit(.minutes(10))) struct WebSocketTaskClosingTests {
    private static let texts = ["1", "2", "3", "4", "5"]

    /// A server that sends five messages and a close frame at once.
    ///
    /// - Parameter next: The server's steps after that, before it reads the client's close frame.
    private static func server(_ next: Step? = nil) throws -> LoopbackServer {
        let messages = texts.flatMap { ServerFrame.text($0).bytes }
        let bytes = messages + ServerFrame.close(1000, Array("done".utf8)).bytes
        let steps = [Step.send(bytes)] + (next.map { [$0] } ?? [])
        return try .sockets {
            $0.opening = { _ in steps }
            $0.answer = { _ in nil }
        }
    }

    /// Receives messages until an error, each after the handler of the one before was called.
    private static func receiveAll(of task: URLSessionWebSocketTask, into log: ClosingLog) {
        task.receive { result in
            guard case .success(.string(let text)) = result else { return }
            log.lines.record(text)
            receiveAll(of: task, into: log)
        }
    }

    // MARK: Messages before a close

    @Test("Handlers receive all messages before the delegate is notified of the close")
    func handlersReceiveMessagesBeforeClose() async throws {
        let server = try Self.server()
        let log = ClosingLog()
        let session = URLSession.test(delegate: log)
        let task = session.webSocketTask(with: try server.socketURL)
        Self.receiveAll(of: task, into: log)
        task.resume()
        let lines = try await log.lines.wait(count: 8)
        #expect(lines == ["open"] + Self.texts + ["close 1000 done", "completed"])
        session.invalidateAndCancel()
    }

    @Test("Handlers that are first set in didOpen receive all messages before the close")
    func handlersSetInDidOpenReceiveMessagesBeforeClose() async throws {
        let server = try Self.server()
        let log = ClosingLog(opened: { Self.receiveAll(of: $1, into: $0) })
        let session = URLSession.test(delegate: log)
        session.webSocketTask(with: try server.socketURL).resume()
        let lines = try await log.lines.wait(count: 8)
        #expect(lines == ["open"] + Self.texts + ["close 1000 done", "completed"])
        session.invalidateAndCancel()
    }

    @Test("Also on a queue of the program, the delegate is notified of the opening before messages")
    func openingComesBeforeMessages() async throws {
        let server = try Self.server()
        let log = ClosingLog()
        // Other work of the program's own queue isn't counted, so each call has an operation.
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        let session = URLSession.test(delegate: log, queue: queue)
        let task = session.webSocketTask(with: try server.socketURL)
        Self.receiveAll(of: task, into: log)
        task.resume()
        // The first message has been received, too: it came before the close frame.
        try await Inspection.wait { task.closeCode == .normalClosure }
        queue.isSuspended = false
        let lines = try await log.lines.wait(count: 8)
        #expect(lines == ["open"] + Self.texts + ["close 1000 done", "completed"])
        session.invalidateAndCancel()
    }

    @Test("An asynchronous loop receives all messages before the delegate is notified of the close")
    func loopReceivesMessagesBeforeClose() async throws {
        let server = try Self.server()
        let log = ClosingLog()
        let session = URLSession.test(delegate: log)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        await expectFailure(.networkConnectionLost) {
            while true {
                if case .string(let text) = try await task.receive() { log.lines.record(text) }
            }
        }
        let lines = try await log.lines.wait(count: 8)
        // Asynchronous methods don't wait for the delegate queue.
        #expect(lines.filter { $0 != "open" } == Self.texts + ["close 1000 done", "completed"])
        #expect(task.closeCode == .normalClosure && task.closeReason == Data("done".utf8))
        session.invalidateAndCancel()
    }

    @Test("A program that never receives is notified of the close, and can receive afterwards")
    func closeDoesNotWaitForeverForReceivers() async throws {
        let server = try Self.server()
        let log = ClosingLog()
        let session = URLSession.test(delegate: log)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        let lines = try await log.lines.wait(count: 3)
        #expect(lines == ["open", "close 1000 done", "completed"])
        for text in Self.texts { expectText(try await task.receive(), text) }
        await expectFailure(.networkConnectionLost) { _ = try await task.receive() }
        session.invalidateAndCancel()
    }

    @Test("A program that cancels in didClose can still receive the messages before the close")
    func cancelInDidCloseKeepsMessages() async throws {
        let server = try Self.server()
        let log = ClosingLog(closed: { $0.cancel() })
        let session = URLSession.test(delegate: log)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        let lines = try await log.lines.wait(count: 3)
        #expect(lines.prefix(2) == ["open", "close 1000 done"])
        for text in Self.texts { expectText(try await task.receive(), text) }
        await expectFailure(.cancelled) { _ = try await task.receive() }
        session.invalidateAndCancel()
    }

    @Test(
        "Cancelling after the server's close frame keeps the messages before it",
        arguments: [true, false]
    )
    func cancelAfterCloseFrameKeepsMessages(_ endsSession: Bool) async throws {
        let gate = Gate()
        // The server doesn't end the connection before it is cancelled.
        let server = try Self.server(.waitFor(gate))
        let log = ClosingLog()
        let session = URLSession.test(delegate: log)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        try await Inspection.wait { task.closeCode == .normalClosure }
        if endsSession { session.invalidateAndCancel() } else { task.cancel() }
        gate.open()
        for text in Self.texts { expectText(try await task.receive(), text) }
        await expectFailure(.cancelled) { _ = try await task.receive() }
        session.invalidateAndCancel()
    }

    // MARK: Unanswered closes

    @Test(
        "The delegate gets the program's own close code if the server drops the connection instead",
        arguments: [Step.close, .reset]
    )
    func ownCloseIsReportedWithoutAnAnswer(_ last: Step) async throws {
        let server = try LoopbackServer.sockets { $0.answer = { $0.opcode == 8 ? [last] : [] } }
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        try await delegate.opened()
        task.cancel(with: .goingAway, reason: Data("bye".utf8))
        // Only the first call counts.
        task.cancel(with: .normalClosure, reason: nil)
        let code = try await delegate.completion()
        #expect(code == nil)
        #expect(
            delegate.events == [
                .open(nil), .close(1001, "bye"), .metrics(1), .completed(nil),
            ]
        )
        #expect(task.closeCode == .goingAway && task.closeReason == Data("bye".utf8))
        session.invalidateAndCancel()
    }

    @Test(
        "A connection that ends before the handshake's response is a bad server response",
        arguments: [[Step.close], [.reset], [.send("HTTP/1.1 101 Swi"), .close]]
    )
    func endBeforeResponseIsABadServerResponse(_ last: [Step]) async throws {
        let server = try LoopbackServer.scripted([Step.readHead] + last)
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        await expectFailure(.badServerResponse) { _ = try await task.receive() }
        let code = try await delegate.completion()
        #expect(code == URLError.Code.badServerResponse.rawValue)
        #expect(task.closeCode == .invalid && task.response == nil)
        session.invalidateAndCancel()
    }
}

/// Records a WebSocket's messages, and the calls of its delegate, in one list.
///
/// It is a data delegate, too, as delegates for all kinds of tasks are.
private final class ClosingLog: NSObject, URLSessionWebSocketDelegate, URLSessionDataDelegate {
    let lines = EventRecorder<String>()
    private let opened: @Sendable (ClosingLog, URLSessionWebSocketTask) -> Void
    private let closed: @Sendable (URLSessionWebSocketTask) -> Void

    init(
        opened: @escaping @Sendable (ClosingLog, URLSessionWebSocketTask) -> Void = { _, _ in },
        closed: @escaping @Sendable (URLSessionWebSocketTask) -> Void = { _ in }
    ) {
        self.opened = opened
        self.closed = closed
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        lines.record("open")
        opened(self, webSocketTask)
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        let text = String(decoding: reason ?? Data(), as: UTF8.self)
        lines.record("close \(closeCode.rawValue) \(text)")
        closed(webSocketTask)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        lines.record("completed")
    }
}
