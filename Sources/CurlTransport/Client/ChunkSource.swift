internal import Posix
internal import Synchronization

/// The chunks of a response body that the program has made.
///
/// Like the body of a transfer, it is read by one task at a time, and each chunk once.
final class ChunkSource: Sendable {
    private let iteration: any ChunkIteration
    private let makeEnd: @Sendable () -> ResponseEnd
    private let knownEnd = Mutex<ResponseEnd?>(nil)

    init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        end: @escaping @Sendable () -> ResponseEnd
    ) where Chunks.Element == [UInt8] {
        iteration = Iteration(chunks)
        makeEnd = end
    }

    /// Nil before the end.
    var end: ResponseEnd? { knownEnd.withLock { $0 } }

    /// The next chunk, which is never empty; nil at the end.
    func next() async throws(TransportError) -> [UInt8]? {
        while end == nil {
            guard !Task.isCancelled else { throw .cancelled }
            guard let chunk = try await iteration.next() else {
                let end = makeEnd()
                knownEnd.withLock { $0 = end }
                return nil
            }
            if !chunk.isEmpty { return chunk }
        }
        return nil
    }

    /// Reads all chunks.
    func collect(upTo limit: Int) async throws(TransportError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try await next() {
            guard chunk.count <= Swift.max(0, limit) - bytes.count else {
                throw .responseTooLarge(limit: Int64(Swift.max(0, limit)))
            }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
        }
        return bytes
    }
}

/// An iteration over a sequence of any type.
private protocol ChunkIteration: Sendable {
    func next() async throws(TransportError) -> [UInt8]?
}

/// Guards an iterator, which isn't `Sendable`.
private actor Iteration<Chunks: AsyncSequence & Sendable>: ChunkIteration
where Chunks.Element == [UInt8] {
    private let chunks: Chunks
    private var iterator: Chunks.AsyncIterator?
    private var isReading = false

    init(_ chunks: Chunks) {
        self.chunks = chunks
    }

    func next() async throws(TransportError) -> [UInt8]? {
        guard !isReading else { throw .bodyReadTwice }
        isReading = true
        defer { isReading = false }
        var iterator = self.iterator ?? chunks.makeAsyncIterator()
        do {
            let chunk = try await iterator.next(isolation: self)
            self.iterator = iterator
            return chunk
        } catch let error as TransportError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw TransportError(
                .unknown,
                phase: .receiving,
                message: "the response body couldn't be read: \(error).",
                underlying: error
            )
        }
    }
}

/// A body of one chunk.
struct SingleChunk: AsyncSequence, Sendable {
    let bytes: [UInt8]

    struct AsyncIterator: AsyncIteratorProtocol {
        var bytes: [UInt8]?

        mutating func next() async -> [UInt8]? { bytes.take() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes) }
}
