internal import CurlTransport
internal import Foundation
internal import Posix

/// The received bytes and pending reads of a stream, as a pure value.
struct StreamReads: Sendable {
    typealias Answer = Result<(data: Data, isAtEnd: Bool), TransportError>
    typealias Completion = @Sendable (Answer) -> Void

    /// A pending read.
    struct Read: Sendable {
        let ticket: UInt64
        /// At least 1.
        let minimum: Int
        let maximum: Int
        let completion: Completion
        /// The task that fails the read after its timeout.
        var alarm: Task<Void, Never>?
    }

    private var waiting: [Read] = []
    private var bytes: [UInt8] = []
    /// The number of bytes already read.
    private var start = 0
    /// Whether the peer has sent its last byte.
    private(set) var hasEnded = false

    /// The number of buffered bytes that pauses receiving. A read may need more.
    private static let window = 256 * 1024

    private var count: Int { bytes.count - start }

    /// Whether no read is pending.
    var isIdle: Bool { waiting.isEmpty }

    var isFull: Bool { count >= max(Self.window, waiting.first?.minimum ?? 0) }

    /// Whether receiving may be resumed.
    var hasRoom: Bool { count < max(Self.window / 2, waiting.first?.minimum ?? 0) }

    mutating func append(_ read: Read) {
        waiting.append(read)
    }

    mutating func append(_ span: Span<UInt8>) {
        if start > 0, start >= bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(copying: span)
    }

    mutating func end() {
        hasEnded = true
    }

    /// Takes the first read if it can be completed.
    ///
    /// That is so if enough bytes have arrived, or the stream has ended.
    mutating func takeDue() -> (read: Read, data: Data, isAtEnd: Bool)? {
        guard let read = waiting.first, count >= read.minimum || hasEnded else { return nil }
        waiting.removeFirst()
        let end = start + min(count, read.maximum)
        let data = Data(bytes[start..<end])
        start = end
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.window)
            start = 0
        }
        return (read, data, hasEnded && count == 0)
    }

    /// Sets the timeout task of a read. Returns false if the read has completed.
    mutating func set(_ alarm: Task<Void, Never>, for ticket: UInt64) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return false }
        waiting[index].alarm = alarm
        return true
    }

    /// Removes a read that has timed out.
    mutating func withdraw(_ ticket: UInt64) -> Read? {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return waiting.remove(at: index)
    }

    /// Removes and returns all pending reads.
    mutating func giveUp() -> [Read] {
        defer { waiting = [] }
        return waiting
    }

    /// Discards the buffered bytes.
    mutating func removeAll() {
        (bytes, start) = ([], 0)
    }
}
