internal import CurlTransport
internal import Foundation

/// The pending writes of a stream, in order, as a pure value.
struct StreamWrites: Sendable {
    typealias Completion = @Sendable (TransportError?) -> Void

    /// A pending write, which completes when its bytes are sent.
    struct Write: Sendable {
        let ticket: UInt64
        let data: Data
        let completion: Completion
        /// The number of bytes handed over.
        var offset = 0
        /// The position of its end in the stream.
        var end: Int64 = 0
        /// The task that fails the write after its timeout.
        var alarm: Task<Void, Never>?
    }

    private var waiting: [Write] = []
    /// The number of writes at the front that were handed over completely.
    private var submittedCount = 0
    /// The total number of bytes written.
    private var total: Int64 = 0
    /// The number of bytes sent.
    private var sent: Int64 = 0

    /// The largest number of bytes handed over at once.
    private static let pieceSize = 64 * 1024

    /// Whether no write is pending.
    var isEmpty: Bool { waiting.isEmpty }

    mutating func append(_ write: Write) {
        var write = write
        total += Int64(write.data.count)
        write.end = total
        waiting.append(write)
    }

    /// Takes the next bytes to hand over; `nil` if there are none.
    mutating func nextPiece() -> [UInt8]? {
        while submittedCount < waiting.count {
            let write = waiting[submittedCount]
            let end = min(write.data.count, write.offset + Self.pieceSize)
            waiting[submittedCount].offset = end
            if end == write.data.count { submittedCount += 1 }
            // The write may be empty.
            guard end > write.offset else { continue }
            let first = write.data.startIndex
            return [UInt8](write.data[(first + write.offset)..<(first + end)])
        }
        return nil
    }

    /// Records the position up to which the stream was sent.
    mutating func noteSent(upTo position: Int64) {
        assert(position >= sent, "fewer bytes were sent than before")
        sent = position
    }

    /// Takes the writes whose bytes were sent.
    mutating func takeSent() -> [Write] {
        let count = waiting.prefix { $0.end <= sent }.count
        defer {
            waiting.removeFirst(count)
            submittedCount = max(0, submittedCount - count)
        }
        return Array(waiting.prefix(count))
    }

    /// Sets the timeout task of a write. Returns false if the write has completed.
    mutating func set(_ alarm: Task<Void, Never>, for ticket: UInt64) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return false }
        waiting[index].alarm = alarm
        return true
    }

    /// Removes a write that has timed out. `isTorn` is true if it was handed over in part.
    mutating func withdraw(_ ticket: UInt64) -> (write: Write, isTorn: Bool)? {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        let write = waiting.remove(at: index)
        if index < submittedCount { submittedCount -= 1 }
        // Later writes move forward in the stream.
        total -= Int64(write.data.count)
        for later in index..<waiting.count { waiting[later].end -= Int64(write.data.count) }
        return (write, write.offset > 0)
    }

    /// Removes and returns all pending writes.
    mutating func giveUp() -> [Write] {
        defer { (waiting, submittedCount) = ([], 0) }
        return waiting
    }
}
