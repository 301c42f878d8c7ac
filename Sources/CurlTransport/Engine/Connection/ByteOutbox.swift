/// A bounded queue of bytes from the senders to the loop: a pure value.
struct ByteOutbox: Sendable {
    /// The result of appending bytes.
    enum Answer: Equatable {
        /// The bytes will be sent. `notifiesLoop` says whether the loop has to be notified.
        case accepted(notifiesLoop: Bool)
        case full
        case closed
    }

    private var pieces: [[UInt8]] = []
    private let capacity: Int
    private var isOpen = true
    /// Whether the loop was notified and hasn't taken the bytes yet.
    private var isLoopNotified = false

    /// The number of bytes waiting, here or in the loop.
    private(set) var waitingBytes = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    mutating func append(_ bytes: [UInt8]) -> Answer {
        guard isOpen else { return .closed }
        guard !bytes.isEmpty else { return .accepted(notifiesLoop: false) }
        guard waitingBytes == 0 || bytes.count <= capacity - waitingBytes else { return .full }
        pieces.append(bytes)
        waitingBytes += bytes.count
        defer { isLoopNotified = true }
        return .accepted(notifiesLoop: !isLoopNotified)
    }

    /// Takes all queued bytes. Called by the loop.
    mutating func take() -> [[UInt8]] {
        isLoopNotified = false
        defer { pieces = [] }
        return pieces
    }

    /// Subtracts taken bytes that have been sent. Called by the loop.
    mutating func left(_ count: Int) {
        waitingBytes -= count
    }

    /// Accepts no more bytes. The loop can still take the queued ones.
    mutating func close() {
        isOpen = false
    }
}
