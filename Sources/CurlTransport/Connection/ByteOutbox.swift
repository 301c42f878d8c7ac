/// The bytes on their way from whoever sends to the loop: a pure value, bounded.
struct ByteOutbox: Sendable {
    /// What became of bytes that were to be sent.
    enum Answer: Equatable {
        /// They will be sent. The loop has to be told of them, or knows already.
        case accepted(tellsLoop: Bool)
        case full
        case closed
    }

    private var pieces: [[UInt8]] = []
    private let capacity: Int
    private var isOpen = true
    /// The loop was told that there is something, and hasn't come for it yet.
    private var isLoopTold = false

    /// The bytes that wait, here or with the loop.
    private(set) var waitingBytes = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    mutating func append(_ bytes: [UInt8]) -> Answer {
        guard isOpen else { return .closed }
        guard !bytes.isEmpty else { return .accepted(tellsLoop: false) }
        guard waitingBytes == 0 || bytes.count <= capacity - waitingBytes else { return .full }
        pieces.append(bytes)
        waitingBytes += bytes.count
        defer { isLoopTold = true }
        return .accepted(tellsLoop: !isLoopTold)
    }

    /// Hands over what there is. The loop's part.
    mutating func take() -> [[UInt8]] {
        isLoopTold = false
        defer { pieces = [] }
        return pieces
    }

    /// Bytes that were taken have left. The loop's part.
    mutating func left(_ count: Int) {
        waitingBytes -= count
    }

    /// Takes nothing more. What there is can still be taken by the loop.
    mutating func close() {
        isOpen = false
    }
}
