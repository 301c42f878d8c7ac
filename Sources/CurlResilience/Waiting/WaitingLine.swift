internal import DequeModule

/// The requests in flight, and those that wait, first come, first served. Pure.
package struct WaitingLine: Sendable {
    /// Identifies a request that waits.
    package typealias Ticket = UInt64

    /// The answer to a request that arrives.
    package enum Entrance: Sendable, Hashable {
        case admitted
        case queued(Ticket)
        /// As many wait already as may.
        case refused
    }

    /// The requests that were admitted and haven't left.
    package private(set) var inFlight = 0
    private var tickets = Deque<Ticket>()
    private var waiting: Set<Ticket> = []
    private var last: Ticket = 0

    package init() {}

    /// The number of requests that wait.
    package var waitingCount: Int { waiting.count }

    /// Whether no request is in flight or waits.
    package var isIdle: Bool { inFlight == 0 && waiting.isEmpty }

    /// A request arrives.
    ///
    /// - Parameters:
    ///   - limit: How many may be in flight now.
    ///   - maximumQueued: How many may wait.
    package mutating func enter(limit: Int, maximumQueued: Int) -> Entrance {
        if inFlight < limit, waiting.isEmpty {
            inFlight += 1
            return .admitted
        }
        guard waiting.count < maximumQueued else { return .refused }
        last += 1
        tickets.append(last)
        waiting.insert(last)
        return .queued(last)
    }

    /// Removes and returns the request that is admitted next; nil if none may be.
    package mutating func admitNext(limit: Int) -> Ticket? {
        guard inFlight < limit, !waiting.isEmpty else { return nil }
        while let ticket = tickets.popFirst() {
            guard waiting.remove(ticket) != nil else { continue }
            inFlight += 1
            return ticket
        }
        return nil
    }

    /// A request in flight has ended.
    package mutating func leave() {
        inFlight = max(0, inFlight - 1)
    }

    /// A request no longer waits. Returns false if it didn't.
    package mutating func withdraw(_ ticket: Ticket) -> Bool {
        guard waiting.remove(ticket) != nil else { return false }
        if tickets.count > 64, tickets.count > waiting.count * 2 {
            tickets = Deque(tickets.filter { waiting.contains($0) })
        }
        return true
    }
}
