import Curl

/// What a connection's turn has come to.
enum LocalTurn {
    case waits(SocketInterest)
    /// It is to be closed.
    case ended
}
