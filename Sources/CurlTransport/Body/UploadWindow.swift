internal import Curl
internal import Synchronization

/// The bounded buffer between a task that produces a request's body and the loop that sends it.
///
/// The producer waits while the window is full; the loop never waits: it finds bytes, or pauses the
/// transfer and is told by a command when there are some.
final class UploadWindow: Sendable {
    /// What the loop finds when it asks for bytes.
    enum Supply: Sendable {
        case bytes
        case nothingYet
        case end
        case failure(String)
    }

    fileprivate struct State {
        var chunks: [[UInt8]] = []
        /// How much of the first chunk is sent.
        var offset = 0
        var buffered = 0
        /// How much was ever added.
        var appended: Int64 = 0
        var isFinished = false
        var failure: String?
        var isClosed = false
        var isLoopWaiting = false
        var producer: CheckedContinuation<Bool, Never>?
    }

    /// From so many bytes on the producer waits.
    private static let capacity = 512 * 1024

    private let state = Mutex(State())
    private let length: Int64?
    private let wakeLoop: @Sendable () -> Void

    /// - Parameters:
    ///   - length: how many bytes there must be in all, where that is known. The last of them is
    ///     held back until the producer has said that it was the last: what is too long is then
    ///     never taken for complete by the server.
    ///   - wakeLoop: posts a command to the loop; called on the producer's thread.
    init(length: Int64? = nil, wakeLoop: @escaping @Sendable () -> Void) {
        self.length = length
        self.wakeLoop = wakeLoop
    }

    // MARK: The producer's side

    /// Adds a chunk, and waits while there is enough for now. False if nobody wants more.
    func append(_ chunk: [UInt8]) async -> Bool {
        guard !chunk.isEmpty else { return state.withLock { !$0.isClosed } }
        let (isOpen, isFull, mustWake) = state.withLock { state in
            guard !state.isClosed else { return (false, false, false) }
            state.chunks.append(chunk)
            state.buffered += chunk.count
            state.appended += Int64(chunk.count)
            if let length, state.appended > length {
                state.failure = "it is longer than the \(length) bytes announced"
            }
            let mustWake = state.isLoopWaiting
            state.isLoopWaiting = false
            return (true, state.buffered >= Self.capacity, mustWake)
        }
        if mustWake { wakeLoop() }
        guard isOpen, isFull else { return isOpen }
        return await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                if state.isClosed { return false }
                if state.buffered < Self.capacity { return true }
                state.producer = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// There is no more.
    func finish() {
        end { state in
            state.isFinished = true
            guard let length, state.appended < length else { return }
            state.failure = "it ended after \(state.appended) of the \(length) bytes announced"
        }
    }

    /// There is no more, because of an error.
    func fail(_ reason: String) {
        end { $0.failure = reason }
    }

    private func end(_ change: (inout State) -> Void) {
        let mustWake = state.withLock { state in
            if state.failure == nil { change(&state) }
            defer { state.isLoopWaiting = false }
            return state.isLoopWaiting
        }
        if mustWake { wakeLoop() }
    }

    // MARK: The loop's side

    /// Moves what there is room for into `output`.
    func take(into output: inout OutputSpan<UInt8>) -> Supply {
        var producer: CheckedContinuation<Bool, Never>?
        let supply: Supply = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            let isLastUncertain = state.appended == length && !state.isFinished
            let available = state.buffered - (isLastUncertain ? 1 : 0)
            guard available > 0 else {
                if state.isFinished { return .end }
                state.isLoopWaiting = true
                return .nothingYet
            }
            state.moveBytes(into: &output, atMost: available)
            if state.buffered < Self.capacity {
                swap(&producer, &state.producer)
            }
            return .bytes
        }
        producer?.resume(returning: true)
        return supply
    }

    /// Nobody will take bytes any more; a waiting producer is let go.
    func close() {
        let producer = state.withLock { state in
            let producer = state.producer
            state = State()
            state.isClosed = true
            return producer
        }
        producer?.resume(returning: false)
    }
}

extension UploadWindow.State {
    fileprivate mutating func moveBytes(into output: inout OutputSpan<UInt8>, atMost limit: Int) {
        var used = 0
        var left = limit
        while used < chunks.count, left > 0, !output.isFull {
            let chunk = chunks[used]
            let end = min(chunk.count, offset + left)
            let taken = output.append(copying: chunk.span.extracting(offset..<end))
            left -= taken
            buffered -= taken
            offset += taken
            guard offset == chunk.count else { break }
            offset = 0
            used += 1
        }
        chunks.removeFirst(used)
    }
}
