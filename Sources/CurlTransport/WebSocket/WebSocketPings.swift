/// Pings whose pongs are awaited: a pure value.
///
/// Each has its number as payload. A pong answers for the pings before it, too: a server needn't answer
/// each. Source: RFC 6455, sections 5.5.2 and 5.5.3.
struct WebSocketPings: Sendable {
    typealias Completion = @Sendable (WebSocketError?) -> Void

    private var waiting = FIFO<(number: UInt64, completion: Completion)>()
    private var last: UInt64 = 0

    /// Adds one, and answers its payload.
    mutating func add(_ completion: @escaping Completion) -> [UInt8] {
        last += 1
        waiting.append((last, completion))
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

    /// Gives up: those who wait.
    mutating func giveUp() -> [Completion] {
        var completions: [Completion] = []
        while let ping = waiting.popFirst() { completions.append(ping.completion) }
        return completions
    }
}
