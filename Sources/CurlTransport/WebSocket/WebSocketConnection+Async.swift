// For Swift tasks.

extension WebSocketConnection {
    /// Sends a message behind those before it, and returns once it was handed to the system.
    package func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        let error = await withCheckedContinuation {
            (continuation: CheckedContinuation<WebSocketError?, Never>) in
            send(message) { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    /// Waits for the next message that nobody has had. If the Swift task is cancelled meanwhile, that is
    /// an error here, and the message is the next one's who asks.
    package func receive() async throws(WebSocketError) -> WebSocketMessage {
        let ticket = makeTicket()
        typealias Answer = Result<WebSocketMessage, WebSocketError>
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
                carryOut { state in
                    state.receive(ticket: ticket) { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            carryOut { $0.withdraw(ticket) }
        }
        return try result.get()
    }

    /// Sends a ping, and returns when the server has answered.
    package func ping() async throws(WebSocketError) {
        let error = await withCheckedContinuation {
            (continuation: CheckedContinuation<WebSocketError?, Never>) in
            ping { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }
}
