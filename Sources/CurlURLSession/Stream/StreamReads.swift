internal import Curl
internal import CurlTransport
internal import Foundation

/// Bytes that came over a stream, and those who want to read them: a pure value.
struct StreamReads: Sendable {
    typealias Answer = Result<(data: Data, isAtEnd: Bool), TransportError>
    typealias Completion = @Sendable (Answer) -> Void

    /// One call, which waits for its bytes.
    struct Read: Sendable {
        let ticket: UInt64
        /// At least 1.
        let minimum: Int
        let maximum: Int
        let completion: Completion
        /// What gives it up in time.
        var alarm: Task<Void, Never>?
    }

    private var waiting: [Read] = []
    private var bytes: [UInt8] = []
    /// What of them was read.
    private var start = 0
    /// No more bytes come.
    private(set) var hasEnded = false

    /// As many bytes lie here before no more are taken, unless a call waits for more.
    private static let window = 256 * 1024

    private var count: Int { bytes.count - start }

    /// Nobody waits.
    var isIdle: Bool { waiting.isEmpty }

    var isFull: Bool { count >= max(Self.window, waiting.first?.minimum ?? 0) }

    /// Whether more may come again.
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

    /// The first call, if its bytes are there, or never will be, and they.
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

    /// Sets what gives a call up. False if it is over.
    mutating func set(_ alarm: Task<Void, Never>, for ticket: UInt64) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return false }
        waiting[index].alarm = alarm
        return true
    }

    /// Takes out a call that waits no longer.
    mutating func withdraw(_ ticket: UInt64) -> Read? {
        guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return waiting.remove(at: index)
    }

    /// Gives up: those who wait.
    mutating func giveUp() -> [Read] {
        defer { waiting = [] }
        return waiting
    }

    /// Forgets what came.
    mutating func removeAll() {
        (bytes, start) = ([], 0)
    }
}
