public import Foundation

/// The delegate methods for WebSocket tasks.
public protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
    /// Called when the connection is open for messages in both directions.
    ///
    /// - Parameter protocol: The subprotocol that the server has chosen; `nil` for none.
    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    )

    /// Called when the other end has closed the connection.
    ///
    /// Also called if it hasn't answered this side's close frame, when the connection has ended.
    ///
    /// Called after the messages that came before were received. If the program doesn't receive
    /// them, it is called 2 seconds after the close or the last received message, and they can still
    /// be received.
    ///
    /// - Parameters:
    ///   - closeCode: The other end's close code (RFC 6455, 7.4). If it sent no close frame, the
    ///     code of ``URLSessionWebSocketTask/cancel(with:reason:)``.
    ///   - reason: The reason, from the same side; `nil` for none.
    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    )
}

extension URLSessionWebSocketDelegate {
    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        session.webSocketDelegate(after: self)?.urlSession(
            session,
            webSocketTask: webSocketTask,
            didOpenWithProtocol: `protocol`
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        session.webSocketDelegate(after: self)?.urlSession(
            session,
            webSocketTask: webSocketTask,
            didCloseWith: closeCode,
            reason: reason
        )
    }
}
