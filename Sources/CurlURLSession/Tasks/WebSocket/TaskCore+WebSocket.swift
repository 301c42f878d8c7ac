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

    func receive(
        completion: @escaping @Sendable (Result<URLSessionWebSocketTask.Message, any Error>) -> Void
    ) {
        guard let webSocket else { return completion(.failure(noSession)) }
        webSocket.connection.receive { [self] result in
            completion(
                result.map { URLSessionWebSocketTask.Message($0) }.mapError { userError(of: $0) }
            )
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
        do {
            return .init(try await webSocket.connection.receive())
        } catch {
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
        let status = UInt16(exactly: code.rawValue).map { WebSocketStatus(rawValue: $0) }
        let isClosing = webSocket?.connection.close(
            status.flatMap { $0.isSendable ? $0 : nil },
            reason: String(decoding: reason ?? Data(), as: UTF8.self)
        )
        if isClosing != true { cancel() }
    }

    // MARK: The delegate

    /// The task's delegate if it is a WebSocket delegate, otherwise the session's.
    private func webSocketDelegate(_ step: TaskStep) -> (any URLSessionWebSocketDelegate)? {
        step.delegates.task as? any URLSessionWebSocketDelegate
            ?? step.session.core.delegates?.webSocket
    }

    func notifyOpening(_ step: TaskStep) {
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
