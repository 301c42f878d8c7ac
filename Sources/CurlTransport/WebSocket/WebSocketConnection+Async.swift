// For Swift tasks, which may be cancelled: then they wait no longer, which is an error here.

extension WebSocketConnection {
    /// Sends a message behind those before it, and returns once it was handed to the system. A message
    /// that is on its way can't be taken back, and is waited for all the same.
    package func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        let error = await wait { state, ticket, completion in
            state.send(message, ticket: ticket, completion)
        }
        if let error { throw error }
    }

    /// Waits for the next message that nobody has had. If the Swift task is cancelled meanwhile, the
    /// message is the next one's who asks.
    package func receive() async throws(WebSocketError) -> WebSocketMessage {
        try await wait { state, ticket, completion in
            state.receive(ticket: ticket, completion)
        }.get()
    }

    /// Sends a ping, and returns when the server has answered.
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
