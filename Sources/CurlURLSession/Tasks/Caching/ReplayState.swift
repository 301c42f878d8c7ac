internal import CurlTransport

/// The state of a ``ReplayLoader``, as a pure value.
struct ReplayState {
    enum Step: Equatable {
        /// Delivery stops until the client allows receiving again.
        case rest
        case endTurn
        case response
        case bytes(Range<Int>)
        case end(isCancelled: Bool)
    }

    private var hasStarted = false
    private var isCancelled = false
    private var mayFlow = true
    /// Whether a thread delivers events to the client, or is about to.
    private var isBusy = false
    private var hasDeliveredResponse = false
    /// The number of body bytes delivered.
    private var position = 0
    /// Whether an event was delivered since the last batch ended.
    private var isInTurn = false
    private var isOver = false
    /// How often the client has allowed or forbidden receiving.
    private(set) var turn = 0

    /// The largest number of bytes delivered in one call.
    static let share = 64 * 1024

    // Each of these returns true if the caller must deliver the next events.

    mutating func start() -> Bool {
        guard !hasStarted, !isOver else { return false }
        hasStarted = true
        return beginDelivery()
    }

    mutating func cancel() -> Bool {
        isCancelled = true
        return beginDelivery()
    }

    mutating func allow(_ receiving: Bool) -> Bool {
        turn += 1
        mayFlow = receiving
        return receiving && hasStarted && beginDelivery()
    }

    private mutating func beginDelivery() -> Bool {
        guard !isBusy, !isOver else { return false }
        isBusy = true
        return true
    }

    /// Records the client's decision, unless a newer `allow` overrides it.
    mutating func note(_ decision: DeliveryDecision, turn: Int) {
        switch decision {
        case .proceed: break
        case .pause: if self.turn == turn { mayFlow = false }
        case .cancel: isCancelled = true
        }
    }

    /// - Parameter size: The size of the body in bytes; `nil` without a response.
    mutating func next(size: Int?) -> Step {
        assert(isBusy, "an event was taken outside of a delivery")
        guard !isOver else {
            assertionFailure("an event was taken after the end")
            return .rest
        }
        let isDone = size.map { hasDeliveredResponse && position == $0 } ?? true
        if isCancelled || isDone {
            isOver = true
            return .end(isCancelled: isCancelled)
        }
        guard mayFlow else {
            guard isInTurn else {
                isBusy = false
                return .rest
            }
            isInTurn = false
            return .endTurn
        }
        isInTurn = true
        guard hasDeliveredResponse else {
            hasDeliveredResponse = true
            return .response
        }
        let start = position
        position = min(size ?? start, start + Self.share)
        return .bytes(start..<position)
    }
}
