public import Foundation

/// What a session tells of its WebSocket tasks.
public protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
    /// The connection stands, and messages may go both ways.
    ///
    /// - Parameter protocol: The subprotocol that the server has chosen; `nil` for none.
    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    )

    /// The other end has closed the connection.
    ///
    /// - Parameters:
    ///   - closeCode: Why (RFC 6455, 7.4).
    ///   - reason: Why, in the other end's words; `nil` for none.
    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    )
}

extension URLSessionWebSocketDelegate {
    /// Tells the session's delegate.
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

    /// Tells the session's delegate.
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
