internal import DequeModule

/// The bytes that a channel has to send, and the progress of sending them.
struct SendQueue {
    private var pieces = Deque<[UInt8]>()

    /// How many bytes of the first piece are sent.
    private(set) var offset = 0

    /// Whether the system accepted no more bytes, or the same bytes have to be sent again.
    var isBlocked = false

    /// The number of bytes that libcurl has accepted.
    private(set) var sentBytes: Int64 = 0
    private var reportedBytes: Int64 = 0

    /// The number of unsent bytes in the kernel at the last check of a timeout.
    private var unsentBytes = 0

    var isEmpty: Bool { pieces.isEmpty }

    /// The piece to send next, from ``offset`` on.
    var first: [UInt8]? { pieces.first }

    mutating func append(_ pieces: [[UInt8]]) {
        self.pieces.append(contentsOf: pieces)
    }

    /// Records that `count` bytes of the first piece, which has `size`, are sent.
    mutating func sent(_ count: Int, of size: Int) {
        offset += count
        if offset == size {
            _ = pieces.popFirst()
            offset = 0
        }
        sentBytes += Int64(count)
    }

    /// Returns the number of sent bytes, if the delegate doesn't know it yet.
    mutating func takeProgress() -> Int64? {
        guard sentBytes > reportedBytes else { return nil }
        reportedBytes = sentBytes
        return sentBytes
    }

    /// Returns whether the number of unsent bytes in the kernel has changed since the last call.
    mutating func changes(unsentBytes: Int) -> Bool {
        defer { self.unsentBytes = unsentBytes }
        return unsentBytes != self.unsentBytes
    }
}
