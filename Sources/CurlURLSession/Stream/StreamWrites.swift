internal import CurlTransport
internal import Foundation

/// Bytes on their way to a stream, in order: a pure value.
struct StreamWrites: Sendable {
    typealias Completion = @Sendable (TransportError?) -> Void

    /// One call, which waits until its bytes are sent.
    struct Write: Sendable {
        let ticket: UInt64
        let data: Data
        let completion: Completion
        /// What of them was handed over.
        var offset = 0
        /// Where they end in the stream.
        var end: Int64 = 0
        /// What gives it up in time.
        var alarm: Task<Void, Never>?
    }

    private var waiting: [Write] = []
    /// So many at the front were handed over as a whole.
    private var handedOver = 0
    /// How many bytes there were in all.
    private var total: Int64 = 0
    /// How many of them were sent.
    private var sent: Int64 = 0

    /// As much is handed over at once.
    private static let pieceSize = 64 * 1024

    /// Nobody waits.
    var isEmpty: Bool { waiting.isEmpty }

    mutating func append(_ write: Write) {
        var write = write
        total += Int64(write.data.count)
        write.end = total
        waiting.append(write)
    }

    /// What is to be handed over next; `nil` for nothing.
    mutating func nextPiece() -> [UInt8]? {
        while handedOver < waiting.count {
            let write = waiting[handedOver]
            let end = min(write.data.count, write.offset + Self.pieceSize)
            waiting[handedOver].offset = end
            if end == write.data.count { handedOver += 1 }
            // There may have been nothing in it.
            guard end > write.offset else { continue }
            let first = write.data.startIndex
            return [UInt8](write.data[(first + write.offset)..<(first + end)])
        }
        return nil
    }

    /// The stream is sent up to there.
    mutating func noteSent(upTo position: Int64) {
        sent = position
    }

    /// Those whose bytes are sent.
    mutating func takeSent() -> [Write] {
        let count = waiting.prefix { $0.end <= sent }.count
        defer {
            waiting.removeFirst(count)
            handedOver = max(0, handedOver - count)
        }
        return Array(waiting.prefix(count))
    }

    /// Sets what gives a call up. False if it is over.
    mutating func set(_ alarm: Task<Void, Never>, for ticket: UInt64) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return false }
        waiting[index].alarm = alarm
        return true
    }

    /// Takes out a call that waits no longer. `isTorn` if some of its bytes were handed over.
    mutating func withdraw(_ ticket: UInt64) -> (write: Write, isTorn: Bool)? {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        let write = waiting.remove(at: index)
        if index < handedOver { handedOver -= 1 }
        // Those behind it move up.
        total -= Int64(write.data.count)
        for later in index..<waiting.count { waiting[later].end -= Int64(write.data.count) }
        return (write, write.offset > 0)
    }

    /// Gives up: those who wait.
    mutating func giveUp() -> [Write] {
        defer { (waiting, handedOver) = ([], 0) }
        return waiting
    }
}
