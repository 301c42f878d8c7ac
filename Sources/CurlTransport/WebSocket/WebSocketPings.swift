internal import DequeModule

/// Pings that wait for their pongs: a pure value.
///
/// Each ping has its number as payload. A pong also answers all earlier pings, because a server
/// needn't answer each one. Source: RFC 6455, sections 5.5.2 and 5.5.3.
struct WebSocketPings: Sendable {
    typealias Completion = @Sendable (WebSocketError?) -> Void

    private var waiting = Deque<(number: UInt64, ticket: UInt64?, completion: Completion)>()
    private var last: UInt64 = 0

    /// Adds a ping and returns its payload.
    ///
    /// - Parameter ticket: identifies the ping for ``withdraw(_:)``.
    mutating func add(_ completion: @escaping Completion, ticket: UInt64?) -> [UInt8] {
        last += 1
        waiting.append((last, ticket, completion))
        return stride(from: UInt64(56), through: 0, by: -8).map { [last] shift in
            UInt8(truncatingIfNeeded: last >> shift)
        }
    }

    /// Removes and returns the pings that a pong answers; none if its payload is unknown.
    mutating func answered(by payload: [UInt8]) -> [Completion] {
        guard payload.count == 8 else { return [] }
        let number = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard number <= last else { return [] }
        var completions: [Completion] = []
        while let ping = waiting.first, ping.number <= number {
            completions.append(ping.completion)
            _ = waiting.popFirst()
        }
        return completions
    }

    /// Removes the ping with this ticket, and returns it if it was waiting.
    mutating func withdraw(_ ticket: UInt64) -> Completion? {
        var found: Completion?
        waiting.removeAll { ping in
            guard ping.ticket == ticket else { return false }
            found = ping.completion
            return true
        }
        return found
    }

    /// Removes and returns all pings.
    mutating func giveUp() -> [Completion] {
        var completions: [Completion] = []
        while let ping = waiting.popFirst() { completions.append(ping.completion) }
        return completions
    }
}
