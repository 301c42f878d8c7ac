// Asynchronous variants. If the Swift task is cancelled, they stop waiting and throw an error.

extension WebSocketConnection {
    /// Sends a message after all earlier ones; returns when the system has it.
    ///
    /// If part of the message has already been sent, cancelling the task doesn't stop it, and this
    /// waits until it is sent.
    package func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        let error = await wait { state, ticket, completion in
            state.send(message, ticket: ticket, completion)
        }
        if let error { throw error }
    }

    /// Waits for the next message.
    ///
    /// If the Swift task is cancelled meanwhile, the message goes to the next receiver.
    package func receive() async throws(WebSocketError) -> WebSocketMessage {
        try await wait { state, ticket, completion in
            state.receive(ticket: ticket, completion)
        }.get()
    }

    /// Sends a ping, and returns when the server has answered it.
    package func ping() async throws(WebSocketError) {
        let error = await wait { state, ticket, completion in
            state.ping(ticket: ticket, completion)
        }
        if let error { throw error }
    }

    private func wait<Answer: Sendable>(
        _ begin: (inout WebSocketState, UInt64, @escaping @Sendable (Answer) -> Void) -> Void
    ) async -> Answer {
        let ticket = makeTicket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
                carryOut { state in
                    begin(&state, ticket) { answer in continuation.resume(returning: answer) }
                }
            }
        } onCancel: {
            carryOut { $0.withdraw(ticket) }
        }
    }
}
