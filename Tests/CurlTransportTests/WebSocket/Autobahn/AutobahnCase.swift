import CurlTransport
import TestSupport
import Testing

/// A case of the Autobahn test suite for WebSockets, by number.
///
/// It says what the server sends and what the client must do.
struct AutobahnCase: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable, Equatable {
        /// The case succeeds; then the server closes with 1000.
        case fine
        /// The client fails the connection with this status.
        case failure(WebSocketStatus)
        /// The server's frames close the connection; the client answers with this status.
        case closed(WebSocketStatus?)
    }

    let id: String
    /// What the server sends, in these pieces.
    let pieces: [[UInt8]]
    /// The messages in it, which an echoing client sends back.
    var messages: [WebSocketMessage] = []
    /// The payloads of its pings, which have to be answered.
    var pings: [[UInt8]] = []
    var outcome = Outcome.fine

    var testDescription: String { id }

    /// A case whose frames are sent one piece each.
    init(
        _ id: String,
        _ frames: [ServerFrame],
        messages: [WebSocketMessage] = [],
        pings: [[UInt8]] = [],
        _ outcome: Outcome = .fine
    ) {
        self.id = id
        pieces = frames.map(\.bytes)
        self.messages = messages
        self.pings = pings
        self.outcome = outcome
    }

    /// The same, cut into pieces of `size` bytes.
    init(
        _ id: String,
        chopping size: Int,
        _ frames: [ServerFrame],
        messages: [WebSocketMessage] = [],
        pings: [[UInt8]] = [],
        _ outcome: Outcome = .fine
    ) {
        self.id = id
        let bytes = frames.flatMap(\.bytes)
        pieces = stride(from: 0, to: bytes.count, by: size).map { start in
            Array(bytes[start..<min(start + size, bytes.count)])
        }
        self.messages = messages
        self.pings = pings
        self.outcome = outcome
    }

    /// All bytes that the server sends.
    var wire: [UInt8] { pieces.flatMap(\.self) }

    static let all =
        framing + pings + reserved + opcodes + fragmentation + validText + invalidText + closing
        + large
}

/// `count` bytes of text.
func stars(_ count: Int) -> String { String(repeating: "*", count: count) }

/// `count` bytes of data.
func bytes(_ count: Int, _ value: UInt8 = 0xFE) -> [UInt8] {
    [UInt8](repeating: value, count: count)
}
