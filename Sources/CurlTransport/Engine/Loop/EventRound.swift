internal import Posix

/// A round of a loop's turns: about one event of each socket that is ready.
///
/// A turn handles few events. What takes much time at once, as a compressed body does, happens once
/// in a round, so that the other transfers have their turn in between. The bytes that may pass in a
/// round are divided among the sockets that are ready.
struct EventRound {
    /// The maximum number of events of a round.
    private static let most = 512

    /// How many bytes may pass in a round.
    private static let byteCount = 8 << 20

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

    /// How many bytes may pass through a socket.
    var share: Int { Self.byteCount / max(count, lastCount, 1) }
}
