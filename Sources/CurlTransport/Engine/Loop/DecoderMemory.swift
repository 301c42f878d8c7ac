internal import ContentCoding
internal import DequeModule
internal import Synchronization

/// The limit of the memory that all decoders of a transport use for large windows.
///
/// A decoder takes all that it may ever need at once, and one that waits has taken nothing. So those
/// that have memory never wait for it, and release it when their bodies have ended.
final class DecoderMemory: Sendable {
    private struct State {
        var ledger: DecoderLedger
        /// The loops that have waited at any time.
        var loops: [DecoderLedger.Loop: EventLoop] = [:]

        /// The loop whose turn it is.
        var next: EventLoop? { ledger.next.flatMap { loops[$0] } }
    }

    private let state: Mutex<State>

    /// - Parameter limit: In bytes. A decoder that needs more runs alone.
    init(limit: Int) {
        state = Mutex(State(ledger: DecoderLedger(limit: limit)))
    }

    /// Takes `size` bytes for `loop`, none of whose decoders wait. If there is no room, it is
    /// notified when there may be.
    func take(_ size: Int, for loop: EventLoop) -> Bool {
        state.withLock { state in
            if state.ledger.take(size, for: loop.index) { return true }
            state.loops[loop.index] = loop
            return false
        }
    }

    /// Takes `size` bytes for the first decoder that waits on `loop`, if it is the loop's turn and
    /// there is room. Otherwise it is notified when there may be.
    ///
    /// - Parameter isLast: Whether no other decoder waits on the loop.
    func takeTurn(_ size: Int, for loop: EventLoop, isLast: Bool) -> Bool {
        let (isTaken, next) = state.withLock { state in
            let isTaken = state.ledger.takeTurn(size, for: loop.index, isLast: isLast)
            return (isTaken, state.next)
        }
        if isTaken, next !== loop { notify(next) }
        return isTaken
    }

    /// Records that no decoder waits on `loop` any longer.
    func leave(_ loop: EventLoop) {
        notify(
            state.withLock { state in
                state.ledger.leave(loop.index)
                return state.next
            }
        )
    }

    /// Releases `size` bytes, and notifies the loop whose turn it is.
    func release(_ size: Int) {
        notify(
            state.withLock { state in
                state.ledger.release(size)
                return state.next
            }
        )
    }

    private func notify(_ loop: EventLoop?) {
        loop?.post(.decoderMemoryReleased)
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
    var count: Int { waiting.count }
    /// What the first one needs, in bytes.
    var firstNeed: Int? { waiting.first?.need }

    mutating func append(_ transfer: Transfer, _ attempt: TransferAttempt, need: Int) {
        waiting.append((transfer, attempt, need))
    }

    mutating func popFirst() -> (transfer: Transfer, attempt: TransferAttempt, need: Int)? {
        waiting.popFirst()
    }

    /// Removes an attempt. Returns whether it was the first one.
    mutating func remove(_ attempt: TransferAttempt) -> Bool {
        if waiting.first?.attempt === attempt {
            waiting.removeFirst()
            return true
        }
        waiting.removeAll { $0.attempt === attempt }
        return false
    }
}

extension LoopDriver {
    /// Takes the memory that a decoder may need for its next bytes, if that is limited.
    ///
    /// If there is no room, the transfer waits, and false is returned.
    func takeMemory(
        for decoder: ContentDecoder,
        of transfer: Transfer,
        _ attempt: TransferAttempt,
        before bytes: Span<UInt8>
    ) throws(DecodingFailure) -> Bool {
        guard let memory = shared.decoderMemory, attempt.memory.taken == 0 else { return true }
        let need = try decoder.memoryNeed(before: bytes)
        guard need > 0 else { return true }
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
        let wasFirst = limits.decoders.remove(attempt)
        if limits.decoders.isEmpty {
            shared.decoderMemory?.leave(loop)
        } else if wasFirst {
            // There may be room for the next one, which may need less.
            loop.post(.decoderMemoryReleased)
        }
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
            memory.takeTurn(need, for: loop, isLast: limits.decoders.count == 1),
            let (transfer, attempt, _) = limits.decoders.popFirst()
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
