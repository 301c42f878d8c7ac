/// A handler's answer: a response in parts, or a list of raw steps.
package struct Reply: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        case chunks([[UInt8]], trailers: [(String, String)])
        /// The bytes repeated `times` times, with a Content-Length.
        case repeating([UInt8], times: Int)
        /// No length is sent: the end of the connection ends the body.
        case untilClosed([UInt8])
        /// Steps after the head, which contains only the given headers.
        case steps([Step])
    }

    /// Steps before the head: interim heads, gates, delays.
    package var before: [Step] = []
    package var status: Int
    package var reason: String
    package var headers: [(String, String)]
    package var body: Body
    package var closes = false

    package init(
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

    package static func text(_ text: String, status: Int = 200) -> Reply {
        Reply(status, headers: [("Content-Type", "text/plain")], body: .bytes(Array(text.utf8)))
    }

    package static func bytes(_ bytes: [UInt8], status: Int = 200) -> Reply {
        Reply(status, body: .bytes(bytes))
    }

    package static func status(_ status: Int) -> Reply { Reply(status) }

    package static func chunked(
        _ chunks: [[UInt8]],
        trailers: [(String, String)] = []
    ) -> Reply {
        Reply(body: .chunks(chunks, trailers: trailers))
    }

    package static func redirect(_ status: Int = 302, to location: String) -> Reply {
        Reply(status, headers: [("Location", location)])
    }

    /// Runs only these steps, then closes the connection.
    package static func steps(_ steps: [Step]) -> Reply {
        var reply = Reply()
        (reply.status, reply.body, reply.closes) = (0, .steps(steps), true)
        return reply
    }

    /// Sends an interim head (1xx) first.
    package func interim(_ status: Int, headers: [(String, String)] = []) -> Reply {
        var reply = self
        reply.before.append(.send(Self.head(status, "Interim", headers)))
        return reply
    }

    /// Answers when the gate is open.
    package func after(_ gate: Gate) -> Reply {
        var reply = self
        reply.before.append(.waitFor(gate))
        return reply
    }

    /// Answers after a delay.
    package func after(_ time: Duration) -> Reply {
        var reply = self
        reply.before.append(.after(time))
        return reply
    }

    package func header(_ name: String, _ value: String) -> Reply {
        var reply = self
        reply.headers.append((name, value))
        return reply
    }

    /// Closes the connection after the response, and announces it with `Connection: close`.
    package func closing() -> Reply {
        var reply = self
        reply.closes = true
        return reply
    }
}
