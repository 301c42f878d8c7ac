/// Pings whose pongs are awaited: a pure value.
///
/// Each has its number as payload. A pong answers for the pings before it, too: a server needn't answer
/// each. Source: RFC 6455, sections 5.5.2 and 5.5.3.
struct WebSocketPings: Sendable {
    typealias Completion = @Sendable (WebSocketError?) -> Void

    private var waiting = FIFO<(number: UInt64, ticket: UInt64?, completion: Completion)>()
    private var last: UInt64 = 0

    /// Adds one, and answers its payload.
    ///
    /// - Parameter ticket: By which who waits can leave.
    mutating func add(_ completion: @escaping Completion, ticket: UInt64?) -> [UInt8] {
        last += 1
        waiting.append((last, ticket, completion))
        return stride(from: UInt64(56), through: 0, by: -8).map { [last] shift in
            UInt8(truncatingIfNeeded: last >> shift)
        }
    }

    /// Those whom a pong answers; nobody where it answers none of these.
    mutating func answered(by payload: [UInt8]) -> [Completion] {
        guard payload.count == 8 else { return [] }
        let number = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard number <= last else { return [] }
        var completions: [Completion] = []
        while let ping = waiting.first, ping.number <= number {
            completions.append(ping.completion)
            waiting.removeFirst()
        }
        return completions
    }

    /// Somebody waits no longer: he, if he has waited.
    mutating func withdraw(_ ticket: UInt64) -> Completion? {
        var found: Completion?
        waiting.removeAll { ping in
            guard ping.ticket == ticket else { return false }
            found = ping.completion
            return true
        }
        return found
    }

    /// Gives up: those who wait.
    mutating func giveUp() -> [Completion] {
        var completions: [Completion] = []
        while let ping = waiting.popFirst() { completions.append(ping.completion) }
        return completions
    }
}
