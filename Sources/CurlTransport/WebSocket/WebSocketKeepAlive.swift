internal import Synchronization

/// Sends pings at intervals, and ends a WebSocket whose server doesn't answer them.
///
/// It holds no ``WebSocket``, so that releasing the last reference to one still ends it.
final class WebSocketKeepAlive: Sendable {
    private let connection: WebSocketConnection
    private let events: WebSocketEvents
    private let interval: Duration
    /// Whether the last ping waits for its answer.
    private let isUnanswered = Mutex(false)

    init(_ connection: WebSocketConnection, _ events: WebSocketEvents, interval: Duration) {
        self.connection = connection
        self.events = events
        self.interval = max(interval, .milliseconds(10))
    }

    /// Runs until the task is cancelled or the WebSocket has ended.
    func run() async {
        while !events.hasEnded {
            do {
                try await Task.sleep(for: interval)
            } catch {
                return
            }
            guard isUnanswered.withLock({ $0 }) else {
                ping()
                continue
            }
            // Messages that the program hasn't received may stand before the answer.
            if connection.hasUnreadMessages { continue }
            let error = TransportError(
                .idleTimeout,
                phase: .receiving,
                message: "the server didn't answer a ping of the WebSocket within \(interval)."
            )
            events.fail(.connection(error))
            connection.cancel()
            return
        }
    }

    private func ping() {
        isUnanswered.withLock { $0 = true }
        connection.ping { [weak self] error in
            if error == nil { self?.isUnanswered.withLock { $0 = false } }
        }
    }
}
