internal import DequeModule
internal import Synchronization

/// The limit of the memory that all decoders of a transport use for large windows.
///
/// A decoder takes all that it may ever need at once, and one that waits has taken nothing. So those
/// that have memory never wait for it, and release it when their bodies have ended.
final class DecoderMemory: Sendable {
    private struct State {
        var taken = 0
        /// The loops with transfers that wait.
        var waiting: [EventLoop] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: In bytes. A decoder that needs more runs alone.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes `size` bytes. If there is no room, `loop` is notified when there may be.
    func take(_ size: Int, for loop: EventLoop) -> Bool {
        state.withLock { state in
            if state.taken == 0 || size <= limit - state.taken {
                state.taken += size
                return true
            }
            if !state.waiting.contains(where: { $0 === loop }) { state.waiting.append(loop) }
            return false
        }
    }

    /// Releases `size` bytes, and notifies all loops that wait.
    func release(_ size: Int) {
        let loops = state.withLock { state in
            state.taken -= size
            defer { state.waiting = [] }
            return state.waiting
        }
        for loop in loops { loop.post(.decoderMemoryReleased) }
    }
}

/// The part of ``DecoderMemory`` that an attempt's decoder has taken or waits for.
struct DecoderShare {
    /// In bytes.
    var taken = 0
    var isWaiting = false
}

/// The transfers of a loop whose decoders wait for memory, in first-in, first-out order.
struct DecoderQueue {
    private var waiting = Deque<(transfer: Transfer, attempt: TransferAttempt, need: Int)>()

    var isEmpty: Bool { waiting.isEmpty }
    /// What the first one needs, in bytes.
    var firstNeed: Int? { waiting.first?.need }

    mutating func append(_ transfer: Transfer, _ attempt: TransferAttempt, need: Int) {
        waiting.append((transfer, attempt, need))
    }

    mutating func popFirst() -> (transfer: Transfer, attempt: TransferAttempt, need: Int)? {
        waiting.popFirst()
    }

    mutating func remove(_ attempt: TransferAttempt) {
        waiting.removeAll { $0.attempt === attempt }
    }
}

extension LoopDriver {
    /// Takes the memory that a decoder may need for its next bytes. If there is no room, the
    /// transfer waits, and false is returned.
    func takeDecoderMemory(
        _ need: Int,
        for attempt: TransferAttempt,
        of transfer: Transfer
    ) -> Bool {
        guard let memory = shared.decoderMemory, need > 0, attempt.memory.taken == 0 else {
            return true
        }
        guard !attempt.memory.isWaiting else { return false }
        // Those that wait are first: otherwise small needs could delay a large one without end.
        guard limits.decoders.isEmpty, memory.take(need, for: loop) else {
            attempt.memory.isWaiting = true
            limits.decoders.append(transfer, attempt, need: need)
            transfer.delegate.transfer(transfer.handle, didChangeWaitForMemory: true)
            return false
        }
        attempt.memory.taken = need
        return true
    }

    /// Frees the decoder of an attempt that has ended, and releases its memory or its place in the
    /// queue.
    func endDecoding(of attempt: TransferAttempt) {
        attempt.decoding.end()
        releaseDecoderMemory(of: attempt)
        guard attempt.memory.isWaiting else { return }
        attempt.memory.isWaiting = false
        limits.decoders.remove(attempt)
    }

    /// Releases what a decoder has taken.
    func releaseDecoderMemory(of attempt: TransferAttempt) {
        guard attempt.memory.taken > 0 else { return }
        let taken = attempt.memory.taken
        attempt.memory.taken = 0
        shared.decoderMemory?.release(taken)
    }

    /// Continues the transfers for whose decoders there is room now.
    func resumeDecoders() {
        while let memory = shared.decoderMemory, let need = limits.decoders.firstNeed,
            memory.take(need, for: loop), let (transfer, attempt, _) = limits.decoders.popFirst()
        {
            attempt.memory.isWaiting = false
            attempt.memory.taken = need
            if !isCancelled(transfer) {
                transfer.delegate.transfer(transfer.handle, didChangeWaitForMemory: false)
            }
            resume(transfer)
        }
    }
}
