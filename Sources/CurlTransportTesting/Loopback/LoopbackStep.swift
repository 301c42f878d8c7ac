/// One step of a `LoopbackServer`'s connection.
///
/// Steps run in order. After the last step the connection is closed.
public enum LoopbackStep: Sendable {
    /// Reads a request's head and records it.
    case readHead
    /// Reads the rest of the request's body, delimited by its length or its chunks.
    case readBody
    /// Reads at least this many more bytes of the body, or to its end.
    case readBodyBytes(Int)
    /// Reads and discards everything until the peer closes.
    case readUntilClosed

    /// Sends bytes.
    case send([UInt8])
    /// Sends the bytes `times` times; endlessly if nil.
    case sendRepeating([UInt8], times: Int?)

    /// Neither reads nor writes until the gate is open or the peer closes.
    case waitFor(Gate)
    /// Opens a gate that a test waits at.
    case open(Gate)
    /// Neither reads nor writes for this time: simulates a slow server.
    case after(Duration)
    /// Neither reads nor writes until the peer closes or the server stops.
    case stall
    /// Lets the server first process the pending events of other connections, such as closes by
    /// their peers.
    case letOthers

    /// Closes the connection with a reset.
    case reset
    /// Closes the connection, after it has read what the peer has sent.
    case close
    /// Closes the sending side only.
    case halfClose

    /// Reads all input, and runs the steps that the closure returns for each piece. It ends when
    /// the closure returns nil, or after the answer to an empty piece, which marks the peer's
    /// close.
    case converse(@Sendable ([UInt8]) -> [LoopbackStep]?)

    /// Runs steps that depend on the last request read, before the steps that follow.
    case respond(@Sendable (LoopbackRequest) -> [LoopbackStep])

    /// Sends text in UTF-8.
    public static func send(_ text: String) -> LoopbackStep { .send(Array(text.utf8)) }
    /// Sends text `times` times; endlessly if nil.
    public static func sendRepeating(_ text: String, times: Int?) -> LoopbackStep {
        .sendRepeating(Array(text.utf8), times: times)
    }
}
