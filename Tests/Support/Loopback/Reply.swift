/// What a handler answers: a response in parts, or steps of its own.
package struct Reply: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        case chunks([[UInt8]], trailers: [(String, String)])
        /// The bytes so many times over, with a Content-Length.
        case repeating([UInt8], times: Int)
        /// No length is told: the body ends with the connection.
        case untilClosed([UInt8])
        /// Steps after the head, which carries only the headers given.
        case steps([Step])
    }

    /// Comes before the head: interim heads, gates, delays.
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

    /// Nothing but these steps; afterwards the connection is closed.
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

    /// Answers after so long.
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

    /// Closes the connection after the response and says so.
    package func closing() -> Reply {
        var reply = self
        reply.closes = true
        return reply
    }
}
