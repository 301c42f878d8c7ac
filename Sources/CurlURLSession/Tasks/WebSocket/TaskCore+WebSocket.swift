internal import CurlTransport
internal import Foundation
internal import Synchronization

// Calls of a WebSocket task's owner, and the calls to its delegate.

extension TaskCore {
    /// `nil` for other tasks, and for tasks without a session.
    var webSocket: TaskWebSocket? { state.withLock { $0.kind.webSocket } }

    /// Calls a closure on the delegate queue. For a task without a session, at once.
    func callLater(_ call: @escaping @Sendable () -> Void) {
        let events = state.withLock { $0.kind.webSocket?.events ?? $0.kind.stream?.events }
        guard let events else { return call() }
        events.append(.call(call))
    }

    private func userError(of error: WebSocketError) -> any Error {
        state.withLock { $0.userError(of: error) }
    }

    /// The error of a task without a session.
    var noSession: URLError { TaskStartFailure.noSession.error(url: nil) }

    func send(
        _ message: URLSessionWebSocketTask.Message,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        guard let webSocket else { return completion(noSession) }
        webSocket.connection.send(WebSocketMessage(message)) { [self] error in
            completion(error.map { userError(of: $0) })
        }
    }

    /// Receives a message, and calls the handler on the delegate queue.
    func receive(
        handler: @escaping @Sendable (Result<URLSessionWebSocketTask.Message, any Error>) -> Void
    ) {
        guard let webSocket else { return handler(.failure(noSession)) }
        let handover = webSocket.handover
        handover.noteCall()
        webSocket.connection.receive { [self] result in
            switch result {
            case .success(let message):
                handover.noteMessageForHandler()
                callLater { [self] in
                    handler(.success(URLSessionWebSocketTask.Message(message)))
                    if handover.noteReturn() { updateClosing() }
                }
            case .failure(let cause):
                let error = userError(of: cause)
                guard handover.noteFailure() else {
                    return callLater { handler(.failure(error)) }
                }
                updateClosing()
                // The delegate is notified of the close before the handler gets the error. A running
                // handler may hold the close: it has returned when the first call is made.
                callLater { [self] in callLater { handler(.failure(error)) } }
            }
        }
    }

    func ping(completion: @escaping @Sendable ((any Error)?) -> Void) {
        guard let webSocket else { return completion(noSession) }
        webSocket.connection.ping { [self] error in
            completion(error.map { userError(of: $0) })
        }
    }

    // MARK: Asynchronous methods

    func send(_ message: URLSessionWebSocketTask.Message) async throws {
        guard let webSocket else { throw noSession }
        do {
            try await webSocket.connection.send(WebSocketMessage(message))
        } catch {
            throw userError(of: error)
        }
    }

    func receive() async throws -> URLSessionWebSocketTask.Message {
        guard let webSocket else { throw noSession }
        let handover = webSocket.handover
        handover.noteCall()
        do {
            let message = try await webSocket.connection.receive()
            if handover.noteMessage() { updateClosing() }
            return URLSessionWebSocketTask.Message(message)
        } catch {
            if handover.noteFailure() { updateClosing() }
            throw userError(of: error)
        }
    }

    func ping() async throws {
        guard let webSocket else { throw noSession }
        do {
            try await webSocket.connection.ping()
        } catch {
            throw userError(of: error)
        }
    }

    // MARK: Closing

    func closeWebSocket(_ code: URLSessionWebSocketTask.CloseCode, reason: Data?) {
        let webSocket = state.withLock { state in
            state.kind.webSocket?.noteRequest(TaskWebSocket.Closing(code: code, reason: reason))
            return state.kind.webSocket
        }
        if webSocket?.handover.noteEnd() ?? false { updateClosing() }
        let status = UInt16(exactly: code.rawValue).map { WebSocketStatus(rawValue: $0) }
        let isClosing = webSocket?.connection.close(
            status.flatMap { $0.isSendable ? $0 : nil },
            reason: String(decoding: reason ?? Data(), as: UTF8.self)
        )
        if isClosing != true { cancel() }
    }

    /// Notifies the delegate of a close, unless the program still gets messages from before it.
    func updateClosing() {
        guard let webSocket else { return }
        // In this order: a message that is no longer unread has been noted by the handover.
        let hasUnread = webSocket.connection.hasUnreadMessages
        switch webSocket.handover.decide(hasUnread: hasUnread) {
        case .notify:
            state.withLock { $0.delivery.releaseClosing() }
            advance()
        case .wait(let time):
            guard let time else { return }
            setAlarm(after: time.timeInterval) { task in
                task.webSocket?.handover.noteAlarm()
                task.updateClosing()
            }
        }
    }

    // MARK: The delegate

    /// The task's delegate if it is a WebSocket delegate, otherwise the session's.
    private func webSocketDelegate(_ step: TaskStep) -> (any URLSessionWebSocketDelegate)? {
        step.delegates.task as? any URLSessionWebSocketDelegate
            ?? step.session.core.delegates?.webSocket
    }

    func notifyOpening(_ step: TaskStep) {
        defer { if webSocket?.handover.noteReturn() ?? false { updateClosing() } }
        guard let task = step.task as? URLSessionWebSocketTask else { return }
        webSocketDelegate(step)?.urlSession(
            step.session,
            webSocketTask: task,
            didOpenWithProtocol: webSocket?.subprotocol
        )
    }

    func notifyClosing(_ step: TaskStep) {
        guard let task = step.task as? URLSessionWebSocketTask, let closing = webSocket?.closing
        else { return }
        webSocketDelegate(step)?.urlSession(
            step.session,
            webSocketTask: task,
            didCloseWith: closing.code,
            reason: closing.reason
        )
    }
}

extension WebSocketMessage {
    fileprivate init(_ message: URLSessionWebSocketTask.Message) {
        switch message {
        case .data(let data): self = .binary([UInt8](data))
        case .string(let text): self = .text(text)
        }
    }
}

extension URLSessionWebSocketTask.Message {
    fileprivate init(_ message: WebSocketMessage) {
        switch message {
        case .binary(let bytes): self = .data(Data(bytes))
        case .text(let text): self = .string(text)
        }
    }
}
