internal import DequeModule

/// The memory of decoders, and the loops with decoders that wait for it. A pure value, without lock
/// or loop.
///
/// Loops take turns. While one waits, no other takes memory before it: otherwise small needs on one
/// loop could delay a large one on another without end.
struct DecoderLedger {
    /// The index of a loop.
    typealias Loop = Int

    /// In bytes.
    private let limit: Int
    private(set) var taken = 0
    private var waiting = Deque<Loop>()

    init(limit: Int) {
        self.limit = limit
    }

    /// The loop whose turn it is; nil if none waits.
    var next: Loop? { waiting.first }

    /// Takes `size` bytes for a loop that doesn't wait. If there is no room, it waits from now on.
    mutating func take(_ size: Int, for loop: Loop) -> Bool {
        guard waiting.isEmpty, hasRoom(for: size) else {
            waiting.append(loop)
            return false
        }
        taken += size
        return true
    }

    /// Takes `size` bytes for a loop that waits, if it is its turn and there is room.
    ///
    /// - Parameter isLast: Whether the loop doesn't wait any longer then.
    mutating func takeTurn(_ size: Int, for loop: Loop, isLast: Bool) -> Bool {
        guard waiting.first == loop, hasRoom(for: size) else { return false }
        taken += size
        waiting.removeFirst()
        if !isLast { waiting.append(loop) }
        return true
    }

    /// Records that a loop no longer waits.
    mutating func leave(_ loop: Loop) {
        waiting.removeAll { $0 == loop }
    }

    mutating func release(_ size: Int) {
        assert(size <= taken, "memory is released that wasn't taken")
        taken -= size
    }

    /// One decoder may always run, even beyond the limit.
    private func hasRoom(for size: Int) -> Bool {
        taken == 0 || size <= limit - taken
    }
}
