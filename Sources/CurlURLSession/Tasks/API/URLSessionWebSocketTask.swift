internal import CurlTransport
public import Foundation

// `@unchecked Sendable`: it adds no stored property to those of ``URLSessionTask``.
/// Exchanges messages with a server over a WebSocket (RFC 6455).
///
/// Messages may be sent and requested before the task is resumed: they wait until the connection is
/// open. Handlers are called on the session's delegate queue; asynchronous methods don't wait for
/// it. The task completes when the connection is closed; after a normal closing handshake it has no
/// error.
///
/// No message that came before the server's close frame is lost. The delegate is notified of the
/// close after those messages were received, but it waits at most 2 seconds for each call of
/// ``receive()``. Messages that weren't received by then can still be received, also after the
/// task has completed.
///
/// The handshake uses the session's cookies, header fields, proxies and TLS settings.
/// Authentication works as for other tasks, but only with the scheme Basic. Redirects aren't
/// followed. A response that doesn't open the WebSocket becomes the task's response, and the task
/// fails with `URLError.badServerResponse`. So it does if the server ends the connection before its
/// response.
///
/// A suspended task neither sends nor receives; closing isn't delayed. The request timeout applies
/// to the handshake, and the resource timeout to the whole task.
open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
    // MARK: Messages

    /// Sends a message, after all earlier messages.
    ///
    /// - Parameter completionHandler: Called with `nil` when the system has accepted the message,
    ///   or with a `URLError`.
    public func send(
        _ message: Message,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        core.send(message) { [core] error in
            core.callLater { completionHandler(error) }
        }
    }

    /// Sends a message, after all earlier messages. Returns when the system has accepted it.
    ///
    /// - Throws: `URLError`. If the Swift task is cancelled, the message isn't sent, unless a part
    ///   of it already was. The WebSocket task continues.
    public func send(_ message: Message) async throws {
        try await core.send(message)
    }

    /// Receives the next message: the oldest one not yet received.
    ///
    /// The buffer for messages that aren't requested is bounded; when it is full, the server has to
    /// wait, and a close frame that follows isn't read yet. After a close frame, this receives the
    /// messages before it, and then fails.
    ///
    /// - Parameter completionHandler: Called with the message, or with a `URLError`.
    public func receive(
        completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void
    ) {
        core.receive(handler: completionHandler)
    }

    /// Waits for the next message: the oldest one not yet received.
    ///
    /// - Throws: `URLError`. If the Swift task is cancelled, the wait ends, and the next call gets
    ///   the message. The WebSocket task continues.
    public func receive() async throws -> Message {
        try await core.receive()
    }

    /// Sends a ping.
    ///
    /// - Parameter pongReceiveHandler: Called with `nil` when the server has answered, or with a
    ///   `URLError`.
    open func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {
        core.ping { [core] error in
            core.callLater { pongReceiveHandler(error) }
        }
    }

    /// Sends a ping, and returns when the server has answered.
    ///
    /// - Throws: `URLError`. If the Swift task is cancelled, the wait ends; the WebSocket task
    ///   continues.
    open func sendPing() async throws {
        try await core.ping()
    }

    /// The largest message to accept, in bytes, over all of its fragments. 1 MiB by default.
    ///
    /// A larger message fails the task with `URLError.dataLengthExceedsMaximum`.
    open var maximumMessageSize: Int {
        get { core.webSocket?.connection.maximumMessageSize ?? 1 << 20 }
        set { core.webSocket?.connection.maximumMessageSize = newValue }
    }

    // MARK: Life cycle

    /// Connects, or continues a suspended task.
    open override func resume() {
        super.resume()
    }

    /// Ends the task with `URLError.cancelled`.
    ///
    /// It first sends an empty close frame, if that is possible without waiting. Messages that
    /// weren't received are dropped, except those that came before the server's close frame.
    open override func cancel() {
        super.cancel()
    }

    /// Closes the connection with a closing handshake.
    ///
    /// The task sends all pending messages and a close frame, and waits a few seconds for the
    /// server's. If the server ends the connection without one, the delegate gets this code and
    /// reason. A task that isn't connected yet is cancelled.
    ///
    /// Calls of ``receive()`` fail from now on, and messages that weren't received are dropped,
    /// unless the server's close frame has come before.
    ///
    /// - Parameters:
    ///   - closeCode: The close code. With a code that is never sent, such as `.invalid`, the frame
    ///     has none.
    ///   - reason: The reason, in UTF-8; it is truncated to 123 bytes.
    open func cancel(with closeCode: CloseCode, reason: Data?) {
        core.closeWebSocket(closeCode, reason: reason)
    }

    /// The close code of the connection.
    ///
    /// It is the peer's code; this side's if it failed the connection, or if the peer hasn't
    /// answered its close frame. It is `.invalid` before that, and for codes without a case.
    open var closeCode: CloseCode {
        core.webSocket?.ending?.code ?? .invalid
    }

    /// The reason for ``closeCode``, from the same side; `nil` for none.
    open var closeReason: Data? {
        core.webSocket?.ending?.reason
    }

    /// The error that the task failed with; `nil` if it hasn't failed.
    ///
    /// Setting it ends the task with that error.
    open override var error: (any Error)? {
        get { super.error }
        set { if let newValue { core.stop(because: newValue) } }
    }
}

extension URLSessionWebSocketTask {
    /// A WebSocket message.
    public enum Message: Sendable {
        /// Binary data.
        case data(Data)
        /// Text, sent as UTF-8.
        case string(String)
    }
}

extension URLSessionWebSocketTask {
    /// The reason why a connection was closed (RFC 6455, 7.4.1).
    public enum CloseCode: Int, Sendable {
        /// The connection isn't closed, or its close code has no case here.
        case invalid = 0
        /// The purpose of the connection is fulfilled.
        case normalClosure = 1000
        /// The peer is going away.
        case goingAway = 1001
        /// A protocol error.
        case protocolError = 1002
        /// Data of an unsupported type.
        case unsupportedData = 1003
        /// The peer sent no code. Never sent.
        case noStatusReceived = 1005
        /// The connection was lost. Never sent.
        case abnormalClosure = 1006
        /// Invalid data, such as text that isn't UTF-8.
        case invalidFramePayloadData = 1007
        /// A policy violation.
        case policyViolation = 1008
        /// A message was too large.
        case messageTooBig = 1009
        /// The server lacks a required extension. Only clients send it.
        case mandatoryExtensionMissing = 1010
        /// An error in the server.
        case internalServerError = 1011
        /// The TLS handshake failed. Never sent.
        case tlsHandshakeFailure = 1015
    }
}
