internal import CurlTransport
public import Foundation

/// A task that exchanges messages with a server over a WebSocket (RFC 6455).
///
/// Messages may be sent and asked for before the task is resumed: they wait until the connection stands.
/// Handlers are called on the session's delegate queue; asynchronous methods go on beside it. The task
/// completes when the connection is closed: without an error where that was done in order.
///
/// The handshake has the session's cookies, header fields, proxies and TLS. A server that asks who the
/// client is gets an answer as for other tasks, by the scheme Basic; redirects aren't followed. Any other
/// answer than an agreement is the task's response, and its error `URLError.badServerResponse`.
///
/// A suspended task neither sends nor receives; closing it isn't held up. The time limit of requests is
/// one for the handshake, that of resources one for the whole task.
///
/// `@unchecked Sendable`: it stores nothing beside what ``URLSessionTask`` does.
open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
    // MARK: Messages

    /// Sends a message, behind those before it.
    ///
    /// - Parameter completionHandler: Called once the message was handed to the system, with `nil`, or
    ///   with the reason why it couldn't be: a `URLError`.
    public func send(
        _ message: Message,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        core.send(message) { [core] error in
            core.callLater { completionHandler(error) }
        }
    }

    /// Sends a message, behind those before it. Returns once it was handed to the system.
    ///
    /// - Throws: `URLError`. When the Swift task is cancelled, a message of which nothing is sent yet is
    ///   taken back; this task goes on.
    public func send(_ message: Message) async throws {
        try await core.send(message)
    }

    /// Asks for the next message: the oldest that nobody has had. What the task keeps for who doesn't
    /// ask is bounded; then the server has to wait.
    ///
    /// - Parameter completionHandler: Called with a message, or with the reason why none will come: a
    ///   `URLError`.
    public func receive(
        completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void
    ) {
        core.receive { [core] result in
            core.callLater { completionHandler(result) }
        }
    }

    /// Waits for the next message: the oldest that nobody has had.
    ///
    /// - Throws: `URLError`. When the Swift task is cancelled it waits no longer, and the message is the
    ///   next one's who asks; this task goes on.
    public func receive() async throws -> Message {
        try await core.receive()
    }

    /// Sends a ping.
    ///
    /// - Parameter pongReceiveHandler: Called with `nil` when the server has answered, or with the
    ///   reason why it hasn't: a `URLError`.
    open func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {
        core.ping { [core] error in
            core.callLater { pongReceiveHandler(error) }
        }
    }

    /// Sends a ping, and returns when the server has answered.
    ///
    /// - Throws: `URLError`. When the Swift task is cancelled it waits no longer; this task goes on.
    open func sendPing() async throws {
        try await core.ping()
    }

    /// How many bytes a message of the server's may have, its fragments taken together; by default
    /// 1 MiB. With a larger one the task fails with `URLError.dataLengthExceedsMaximum`.
    open var maximumMessageSize: Int {
        get { core.webSocket?.connection.maximumMessageSize ?? 1 << 20 }
        set { core.webSocket?.connection.maximumMessageSize = newValue }
    }

    // MARK: Its life

    /// Connects, or goes on.
    open override func resume() {
        super.resume()
    }

    /// Ends the task with `URLError.cancelled`, after an empty close frame if that can be sent without
    /// waiting.
    open override func cancel() {
        super.cancel()
    }

    /// Closes the connection in order: sends what was handed in before, then a close frame, and waits
    /// some seconds at most for the server's. A task that isn't connected yet is cancelled.
    ///
    /// - Parameters:
    ///   - closeCode: Why. Codes that never go over the wire, such as `.invalid`, send none.
    ///   - reason: Why, in UTF-8; of more than 123 bytes the first are sent.
    open func cancel(with closeCode: CloseCode, reason: Data?) {
        core.closeWebSocket(closeCode, reason: reason)
    }

    /// Why the connection was closed: as the other end said, or as this one did where it failed it;
    /// `.invalid` as long as it isn't, and for codes that have no name here.
    open var closeCode: CloseCode {
        let status = core.webSocket?.connection.closing?.status.rawValue
        return status.flatMap { CloseCode(rawValue: Int($0)) } ?? .invalid
    }

    /// The other end's words to ``closeCode``; `nil` for none.
    open var closeReason: Data? {
        let reason = core.webSocket?.connection.closing?.reason ?? ""
        return reason.isEmpty ? nil : Data(reason.utf8)
    }

    /// Why the task failed; `nil` as long as it hasn't. Setting it ends the task for that reason.
    open override var error: (any Error)? {
        get { super.error }
        set { if let newValue { core.stop(because: newValue) } }
    }
}
