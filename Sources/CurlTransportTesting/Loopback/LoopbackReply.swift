/// A handler's answer: a response in parts, or a list of raw steps.
public struct LoopbackReply: Sendable {
    /// The content, and how it is framed.
    public enum Body: Sendable {
        /// Bytes with a Content-Length.
        case bytes([UInt8])
        /// Chunks in the chunked transfer coding, with trailer fields.
        case chunks([[UInt8]], trailers: [(String, String)])
        /// The bytes repeated `times` times, with a Content-Length.
        case repeating([UInt8], times: Int)
        /// No length is sent: the end of the connection ends the body.
        case untilClosed([UInt8])
        /// Steps after the head, which contains only the given headers.
        case steps([LoopbackStep])
    }

    /// Steps before the head: interim heads, gates, delays.
    public var before: [LoopbackStep] = []
    /// The status code.
    public var status: Int
    /// The reason phrase.
    public var reason: String
    /// The header fields in order, without those that frame the content.
    public var headers: [(String, String)]
    /// The content.
    public var body: Body
    /// Whether the connection is closed after the response, which announces it.
    public var closes = false

    /// Creates a response.
    public init(
        _ status: Int = 200,
        reason: String = "Text",
        headers: [(String, String)] = [],
        body: Body = .bytes([])
    ) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
        if case .untilClosed = body { closes = true }
    }

    /// A response with text.
    public static func text(_ text: String, status: Int = 200) -> LoopbackReply {
        LoopbackReply(
            status,
            headers: [("Content-Type", "text/plain")],
            body: .bytes(Array(text.utf8))
        )
    }

    /// A response with bytes.
    public static func bytes(_ bytes: [UInt8], status: Int = 200) -> LoopbackReply {
        LoopbackReply(status, body: .bytes(bytes))
    }

    /// A response without content.
    public static func status(_ status: Int) -> LoopbackReply { LoopbackReply(status) }

    /// A response in the chunked transfer coding.
    public static func chunked(
        _ chunks: [[UInt8]],
        trailers: [(String, String)] = []
    ) -> LoopbackReply {
        LoopbackReply(body: .chunks(chunks, trailers: trailers))
    }

    /// A redirect to a URL or path.
    public static func redirect(_ status: Int = 302, to location: String) -> LoopbackReply {
        LoopbackReply(status, headers: [("Location", location)])
    }

    /// Runs only these steps, then closes the connection.
    public static func steps(_ steps: [LoopbackStep]) -> LoopbackReply {
        var reply = LoopbackReply()
        (reply.status, reply.body, reply.closes) = (0, .steps(steps), true)
        return reply
    }

    /// Sends an interim head (1xx) first.
    public func interim(_ status: Int, headers: [(String, String)] = []) -> LoopbackReply {
        var reply = self
        reply.before.append(.send(Self.head(status, "Interim", headers)))
        return reply
    }

    /// Answers when the gate is open.
    public func after(_ gate: Gate) -> LoopbackReply {
        var reply = self
        reply.before.append(.waitFor(gate))
        return reply
    }

    /// Answers after a delay.
    public func after(_ time: Duration) -> LoopbackReply {
        var reply = self
        reply.before.append(.after(time))
        return reply
    }

    /// Adds a header field.
    public func header(_ name: String, _ value: String) -> LoopbackReply {
        var reply = self
        reply.headers.append((name, value))
        return reply
    }

    /// Closes the connection after the response, and announces it with `Connection: close`.
    public func closing() -> LoopbackReply {
        var reply = self
        reply.closes = true
        return reply
    }
}
