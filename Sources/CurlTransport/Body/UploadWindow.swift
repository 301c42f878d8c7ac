internal import Posix
internal import Synchronization

/// A bounded buffer between the producer of a request's body and the loop.
///
/// The producer waits while the window is full. The loop never waits: if it finds no bytes, it
/// pauses the transfer, and a command resumes it when bytes arrive.
final class UploadWindow: ChunkSink {
    /// The answer to the loop's request for bytes.
    enum Supply: Sendable {
        case bytes
        case pending
        case end
        case failure(Failure)
    }

    /// Why the body can't be sent completely.
    struct Failure: Sendable {
        /// Without a full stop.
        let reason: String
        /// The error of the producer's sequence; nil if the length differs from the announced one.
        var underlying: (any Error)?
    }

    fileprivate struct State {
        var chunks: [[UInt8]] = []
        /// How many bytes of the first chunk have been taken.
        var offset = 0
        var buffered = 0
        /// The total number of bytes added.
        var appended: Int64 = 0
        var isFinished = false
        var failure: Failure?
        var isClosed = false
        var isLoopWaiting = false
        var producer: CheckedContinuation<Bool, Never>?
    }

    /// The number of buffered bytes from which on the producer waits.
    private static let capacity = 512 * 1024

    private let state = Mutex(State())
    private let length: Int64?
    private let wakeLoop: @Sendable () -> Void

    /// - Parameters:
    ///   - length: the required total number of bytes, if known. The last byte is held back until
    ///     the producer has finished, so that the server never takes a body that is too long for
    ///     complete.
    ///   - wakeLoop: posts a command to the loop; called on the producer's thread.
    init(length: Int64? = nil, wakeLoop: @escaping @Sendable () -> Void) {
        self.length = length
        self.wakeLoop = wakeLoop
    }

    // MARK: Producer

    /// Adds a chunk, and waits while the window is full. Returns false if the window is closed.
    func append(_ chunk: [UInt8]) async -> Bool {
        guard !chunk.isEmpty else { return state.withLock { !$0.isClosed } }
        let (isOpen, isFull, mustWake) = state.withLock { state in
            guard !state.isClosed else { return (false, false, false) }
            state.chunks.append(chunk)
            state.buffered += chunk.count
            state.appended += Int64(chunk.count)
            if let length, state.appended > length {
                state.failure = Failure(reason: "it is longer than the \(length) bytes announced")
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

    /// Marks the end of the body.
    func finish() {
        end { state in
            state.isFinished = true
            guard let length, state.appended < length else { return }
            state.failure = Failure(
                reason: "it ended after \(state.appended) of the \(length) bytes announced"
            )
        }
    }

    /// Ends the body with an error.
    func fail(_ error: any Error) {
        let failure = Failure(reason: String(describing: error), underlying: error)
        end { $0.failure = failure }
    }

    /// Ends the body with an error of the transport.
    func fail(because reason: String) {
        end { $0.failure = Failure(reason: reason) }
    }

    private func end(_ change: (inout State) -> Void) {
        let mustWake = state.withLock { state in
            if state.failure == nil { change(&state) }
            defer { state.isLoopWaiting = false }
            return state.isLoopWaiting
        }
        if mustWake { wakeLoop() }
    }

    // MARK: Loop

    /// Moves as many bytes as fit into `output`.
    func take(into output: inout OutputSpan<UInt8>) -> Supply {
        var producer: CheckedContinuation<Bool, Never>?
        let supply: Supply = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            let holdsBackLastByte = state.appended == length && !state.isFinished
            let available = state.buffered - (holdsBackLastByte ? 1 : 0)
            guard available > 0 else {
                if state.isFinished { return .end }
                state.isLoopWaiting = true
                return .pending
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

    /// Closes the window: discards its bytes and resumes a waiting producer with false.
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
