internal import Synchronization

/// Stores a state for each origin. Pure.
///
/// Forgets states that equal new ones when there are many, so that a program that sends requests to
/// ever new origins doesn't grow.
struct OriginTable<State: Sendable>: Sendable {
    /// The number of origins from which on states are forgotten.
    private static var limit: Int { 1024 }

    private var states: [String: State] = [:]
    /// The number of states at which the table is searched for states to forget.
    private var next = limit
    private let isForgettable: @Sendable (State) -> Bool

    /// - Parameter isForgettable: Whether a state equals a new one, in all that has an effect.
    init(isForgettable: @escaping @Sendable (State) -> Bool) {
        self.isForgettable = isForgettable
    }

    var count: Int { states.count }

    /// Changes the state of an origin, which is made if there is none.
    mutating func change<Result>(
        _ origin: String,
        new: @autoclosure () -> State,
        _ change: (inout State) -> Result
    ) -> Result {
        if states.count >= next, states[origin] == nil { forget() }
        return change(&states[origin, default: new()])
    }

    private mutating func forget() {
        states = states.filter { !isForgettable($0.value) }
        // If few can be forgotten, the next search is far away.
        next = max(Self.limit, states.count * 2)
    }
}

/// The states of all origins, which copies of a middleware share.
final class OriginStates<State: Sendable>: Sendable {
    private let table: Mutex<OriginTable<State>>
    private let new: @Sendable (String) -> State

    /// - Parameters:
    ///   - new: Makes the state of an origin that has none.
    ///   - isForgettable: Whether a state equals a new one, in all that has an effect.
    init(
        new: @escaping @Sendable (String) -> State,
        isForgettable: @escaping @Sendable (State) -> Bool
    ) {
        self.new = new
        table = Mutex(OriginTable(isForgettable: isForgettable))
    }

    /// Changes the state of an origin under the lock.
    func change<Result: Sendable>(
        _ origin: String,
        _ change: (inout State) -> Result
    ) -> Result {
        table.withLock { $0.change(origin, new: new(origin), change) }
    }
}
