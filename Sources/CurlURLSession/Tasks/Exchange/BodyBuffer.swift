internal import CurlTransport
internal import Foundation

/// The bytes of a response's body that the consumer hasn't taken yet, or the complete body.
struct BodyBuffer: Sendable {
    private(set) var bytes = Data()
    /// Whether receiving is paused until the consumer takes bytes. A download's file sets it when
    /// its own buffer is full.
    var isFull = false

    /// The number of unread bytes that pauses receiving.
    static let window = 256 * 1024

    /// The bytes of a collected body that were reported to the delegate.
    private var reportedCount = 0

    /// Keeps bytes until the consumer takes them, or they are reported.
    mutating func keep(_ bytes: Span<UInt8>, upTo limit: Int = Self.window) -> DeliveryDecision {
        self.bytes.append(copying: bytes)
        guard self.bytes.count - reportedCount >= limit else { return .proceed }
        isFull = true
        return .pause
    }

    /// Keeps bytes of a body that is delivered as a whole.
    ///
    /// - Parameter expected: The length of the body; -1 if unknown.
    mutating func collect(_ bytes: Span<UInt8>, expected: Int64) {
        reserveCapacity(adding: bytes.count, expected: expected)
        self.bytes.append(copying: bytes)
    }

    /// Reserves capacity for bytes of a body that is delivered as a whole.
    mutating func reserveCapacity(adding count: Int, expected: Int64) {
        let capacity = BodyCapacityPolicy.capacity(
            expected: expected,
            held: bytes.count,
            adding: count
        )
        if let capacity { bytes.reserveCapacity(capacity) }
    }

    /// Takes the bytes for a consumer.
    mutating func take() -> Data {
        var taken = Data()
        swap(&taken, &bytes)
        return taken
    }

    // MARK: A collected body

    /// Counts the bytes of a collected body as reported. Returns those that weren't before.
    mutating func report() -> Range<Int> {
        let first = min(reportedCount, bytes.count)
        reportedCount = bytes.count
        return first..<bytes.count
    }

    /// A copy of a part of the collected body.
    func copy(of range: Range<Int>) -> Data {
        bytes.subdata(in: range.clamped(to: 0..<bytes.count))
    }

    /// The bytes of the collected body that were reported.
    var reported: Data { bytes.prefix(reportedCount) }

    /// Moves the collected body to its consumer. Bytes that weren't reported are discarded.
    mutating func takeReported() -> Data {
        defer { bytes = Data() }
        return reported
    }
}
