/// What one request came to.
public struct Outcome: Sendable {
    /// The status code of the response.
    public var status: Int
    /// Bytes of the response's body.
    public var received: Int
    /// Bytes of the request's body.
    public var sent: Int
    /// Whether a connection was opened for it; false if the client doesn't report that.
    public var openedConnection: Bool

    /// The outcome of a request with a response.
    public init(status: Int, received: Int, sent: Int = 0, openedConnection: Bool = false) {
        self.status = status
        self.received = received
        self.sent = sent
        self.openedConnection = openedConnection
    }

    /// What is wrong with it; nil: nothing.
    public func problem(_ options: LoadOptions) -> String? {
        guard status == 200 else { return "status \(status)" }
        let (count, word) = options.mode == .upload ? (sent, " sent") : (received, "")
        guard let expected = options.bodyBytes, count != expected else { return nil }
        return "\(count) bytes\(word) instead of \(expected)"
    }
}
