/// One step of what a connection of a `LoopbackServer` does, in order. After the last step the
/// connection is closed.
package enum Step: Sendable {
    /// Reads a request's head and records it.
    case readHead
    /// Reads the rest of the request's body (by its length or chunks).
    case readBody
    /// Reads on until at least so many more bytes of the body have come, or it has ended.
    case readBodyBytes(Int)
    /// Reads and forgets whatever comes until the peer closes.
    case readUntilClosed

    case send([UInt8])
    /// Sends the bytes so many times, or without end.
    case sendRepeating([UInt8], times: Int?)

    /// Neither reads nor writes until the gate is open (or the peer closes).
    case waitFor(Gate)
    /// Opens a gate that a test waits at.
    case open(Gate)
    /// Neither reads nor writes for so long: for servers that are slow on purpose.
    case after(Duration)
    /// Neither reads nor writes until the peer closes or the server stops.
    case stall
    /// Lets the server notice first what has happened on other connections until now: that peers have
    /// closed them, for instance.
    case letOthers

    /// Closes so that the peer sees a reset.
    case reset
    case close
    /// Closes the sending side only.
    case halfClose

    /// Reads whatever comes, and goes through the steps that each piece is answered with. It ends with
    /// nil for an answer, or after the answer to an empty piece, which is the peer's end.
    case converse(@Sendable ([UInt8]) -> [Step]?)

    /// Decides from the request that was read last what comes next, before the steps that follow.
    case respond(@Sendable (RecordedRequest) -> [Step])

    package static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
    package static func sendRepeating(_ text: String, times: Int?) -> Step {
        .sendRepeating(Array(text.utf8), times: times)
    }
}
