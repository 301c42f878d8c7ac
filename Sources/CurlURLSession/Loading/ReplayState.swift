internal import CurlTransport

/// How far a ``ReplayLoader`` has come, as a pure value.
struct ReplayState {
    enum Step: Equatable {
        /// Nobody tells anything any more, until something is allowed.
        case rest
        case endTurn
        case response
        case bytes(Range<Int>)
        case end(isCancelled: Bool)
    }

    private var hasStarted = false
    private var isCancelled = false
    private var mayFlow = true
    /// Somebody tells the client something, or is about to.
    private var isBusy = false
    private var hasToldResponse = false
    /// So many bytes of the content were told.
    private var position = 0
    /// Something was told since the last batch ended.
    private var isInTurn = false
    private var isOver = false
    /// How often something was allowed or forbidden.
    private(set) var turn = 0

    /// As many bytes are told at once.
    static let share = 64 * 1024

    // Each of these is true if the caller has to tell what follows.

    mutating func start() -> Bool {
        guard !hasStarted, !isOver else { return false }
        hasStarted = true
        return beginTelling()
    }

    mutating func cancel() -> Bool {
        isCancelled = true
        return beginTelling()
    }

    mutating func allow(_ receiving: Bool) -> Bool {
        turn += 1
        mayFlow = receiving
        return receiving && hasStarted && beginTelling()
    }

    private mutating func beginTelling() -> Bool {
        guard !isBusy, !isOver else { return false }
        isBusy = true
        return true
    }

    /// The client's answer to a step. What was allowed since then is newer.
    mutating func note(_ decision: DeliveryDecision, turn: Int) {
        switch decision {
        case .proceed: break
        case .pause: if self.turn == turn { mayFlow = false }
        case .cancel: isCancelled = true
        }
    }

    /// - Parameter size: Of the content, in bytes; `nil` without a response.
    mutating func next(size: Int?) -> Step {
        guard !isOver else { return .rest }
        let isDone = size.map { hasToldResponse && position == $0 } ?? true
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
        guard hasToldResponse else {
            hasToldResponse = true
            return .response
        }
        let start = position
        position = min(size ?? start, start + Self.share)
        return .bytes(start..<position)
    }
}
