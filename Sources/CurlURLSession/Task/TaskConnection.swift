internal import CurlTransport

/// A connection at which a task's owner waits for messages or bytes.
protocol TaskConnection: Sendable {
    /// Ends it at once, and those who wait.
    func cancel()
}

extension WebSocketConnection: TaskConnection {}
