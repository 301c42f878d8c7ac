internal import CurlTransport
internal import Foundation
internal import Posix

/// The bytes of a response's body that the consumer hasn't taken yet, or the complete body.
///
/// An event loop adds bytes, and other threads take them. Few bytes are copied by the thread that
/// takes them, for the reason given in ``BufferPool``; many are handed over.
struct BodyBuffer: Sendable {
    /// Up to ``BufferPool/maximumCopied`` bytes. The array comes from the pool and returns to it.
    private var small: [UInt8] = []
    /// All bytes, if ``small`` is empty.
    private var large = Data()
    /// Whether the body is known to be longer than ``BufferPool/maximumCopied``.
    private var expectsMany = false
    /// The pool of the session; `nil` for tasks without one.
    let pool: BufferPool?
    /// Whether receiving is paused until the consumer takes bytes. A download's file sets it when
    /// its own buffer is full.
    var isFull = false

    /// The number of unread bytes that pauses receiving.
    ///
    /// It is larger than what a loop takes from one connection in a turn (512 KiB). Otherwise the
    /// loop and the consumer would wait for each other in turn.
    static let window = 768 * 1024

    init(pool: BufferPool?) {
        self.pool = pool
    }

    // MARK: Contents

    var isEmpty: Bool { small.isEmpty && large.isEmpty }

    /// The number of bytes.
    var count: Int { small.isEmpty ? large.count : small.count }

    /// The bytes, copied if they are few.
    var bytes: Data { small.isEmpty ? large : Data(small) }

    /// - Parameter more: How many bytes are likely to be added before they are taken.
    private mutating func append(_ bytes: Span<UInt8>, expecting more: Int = 0) {
        guard !bytes.isEmpty else { return }
        let isSmall = small.count + bytes.count <= BufferPool.maximumCopied
        if isSmall, !expectsMany, large.isEmpty {
            if small.isEmpty, let pool { small = pool.take() }
            small.append(copying: bytes)
        } else {
            // Growing in steps would copy the bytes twice.
            if large.isEmpty, more > bytes.count { large.reserveCapacity(more + bytes.count) }
            large.append(contentsOf: small)
            releaseSmall()
            large.append(copying: bytes)
        }
    }

    /// Removes all bytes and returns them.
    private mutating func removeAll() -> Data {
        guard small.isEmpty else {
            defer { releaseSmall() }
            return Data(small)
        }
        var removed = Data()
        swap(&removed, &large)
        return removed
    }

    /// Discards the bytes, before another response.
    mutating func discard() {
        releaseSmall()
        self = BodyBuffer(pool: pool)
    }

    private mutating func releaseSmall() {
        guard !small.isEmpty else { return }
        pool?.recycle(&small)
        small = []
    }

    // MARK: Waiting for more

    /// Whether bytes have arrived in a turn of the loader that hasn't ended.
    private var isInTurn = false
    /// Whether the loader will report that no more bytes are ready.
    private var isIdleDue = false
    /// The number of bytes that consumers have taken.
    private var taken = 0
    /// The number of bytes that the last consumer has taken.
    private var lastTaken = 0

    /// If a turn buffers this many bytes, more are expected soon.
    private static let flow = 16 * 1024

    /// Whether the consumer of the bytes can wait for more.
    ///
    /// It is notified of half a window instead of each piece, because each notification costs two
    /// thread switches. The loader's next event ends the wait.
    var awaitsMore: Bool { (isInTurn || isIdleDue) && isFlowing }

    private var isFlowing: Bool {
        let unread = count - reportedCount
        return unread >= Self.flow && unread < Self.window / 2
    }

    /// Ends a turn of the loader.
    ///
    /// - Returns: If the loader has to report when no more bytes are ready: whether it can wait a
    ///   moment for the next ones.
    mutating func endTurn() -> Bool? {
        defer { isInTurn = false }
        guard isInTurn, isFlowing, !isIdleDue else { return nil }
        isIdleDue = true
        return taken >= Self.window
    }

    /// Ends the wait for more: the consumer gets the bytes now.
    mutating func stopWaiting() {
        (isInTurn, isIdleDue) = (false, false)
    }

    /// The bytes of a collected body that were reported to the delegate.
    private var reportedCount = 0

    /// Keeps bytes until the consumer takes them, or they are reported.
    mutating func keep(_ bytes: Span<UInt8>, upTo limit: Int = Self.window) -> DeliveryDecision {
        isInTurn = true
        // As many as last time are likely to arrive again.
        append(bytes, expecting: min(lastTaken, limit))
        guard count - reportedCount >= limit else { return .proceed }
        isFull = true
        return .pause
    }

    /// Keeps bytes of a body that is delivered as a whole.
    ///
    /// - Parameter expected: The length of the body; -1 if unknown.
    mutating func collect(_ bytes: Span<UInt8>, expected: Int64) {
        reserveCapacity(adding: bytes.count, expected: expected)
        append(bytes)
    }

    /// Reserves capacity for bytes of a body that is delivered as a whole.
    mutating func reserveCapacity(adding count: Int, expected: Int64) {
        let capacity = BodyCapacityPolicy.capacity(
            expected: expected,
            held: self.count,
            adding: count
        )
        guard let capacity, capacity > BufferPool.maximumCopied else { return }
        expectsMany = true
        large.reserveCapacity(capacity)
    }

    /// Takes the bytes for a consumer.
    mutating func take() -> Data {
        let taken = removeAll()
        self.taken += taken.count
        lastTaken = taken.count
        return taken
    }

    // MARK: A collected body

    /// Counts the bytes of a collected body as reported. Returns those that weren't before.
    mutating func report() -> Range<Int> {
        let first = min(reportedCount, count)
        reportedCount = count
        return first..<count
    }

    /// A copy of a part of the collected body.
    func copy(of range: Range<Int>) -> Data {
        let range = range.clamped(to: 0..<count)
        return small.isEmpty ? large.subdata(in: range) : Data(small[range])
    }

    /// Copies the bytes of a collected body that weren't reported before.
    mutating func takeUnreported() -> Data {
        let range = report()
        return copy(of: range)
    }

    /// The bytes of the collected body that were reported.
    var reported: Data {
        small.isEmpty ? large.prefix(reportedCount) : Data(small.prefix(reportedCount))
    }

    /// Moves the collected body to its consumer. Bytes that weren't reported are discarded.
    mutating func takeReported() -> Data {
        removeAll().prefix(reportedCount)
    }
}
