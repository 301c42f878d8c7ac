internal import Posix

/// A round of a loop's turns: about one event of each socket that is ready.
///
/// A turn handles few events. What takes much time at once, as a compressed body does, happens once
/// in a round, so that the other transfers have their turn in between.
struct EventRound {
    /// The maximum number of events of a round.
    private static let most = 512

    private var count = 0
    /// The number of events of the last complete round.
    private var lastCount = 0
    /// Whether the current turn begins a round.
    private(set) var isFirstTurn = true
    /// Whether the current turn completes the round.
    private(set) var isLastTurn = true
    /// How many body bytes the current call of libcurl has moved, if more may follow.
    var movedBytes = 0

    /// Begins a turn with a number of events.
    mutating func beginTurn(events: Int) {
        if isLastTurn { (lastCount, count) = (count, 0) }
        isFirstTurn = isLastTurn
        count += events
        isLastTurn = events < Reactor.maximumEvents || count >= Self.most
    }

    /// About how many sockets are ready; at least one.
    var readySockets: Int { max(count, lastCount, 1) }
}
