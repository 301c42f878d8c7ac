internal import Glibc
internal import TestSupport

/// A sequence of equal chunks that counts how many were requested.
struct CountingStream: AsyncSequence, Sendable {
    let chunk: Int
    let limit: Int
    private let counter = Watched(0)

    init(chunk: Int, count: Int) {
        (self.chunk, limit) = (chunk, count)
    }

    /// How many chunks were returned.
    var count: Int { counter.read { $0 } }

    func produced(_ fits: @escaping @Sendable (Int) -> Bool) async throws {
        try await counter.wait { fits($0) ? () : nil }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let stream: CountingStream

        mutating func next() async -> [UInt8]? {
            let index = stream.counter.update { count in
                guard count < stream.limit else { return stream.limit }
                count += 1
                return count - 1
            }
            guard index < stream.limit else { return nil }
            return [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: stream.chunk)
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream: self)
    }
}

/// Truncates a file.
func truncateFile(_ path: String, to size: Int) throws {
    guard truncate(path, size) == 0 else { throw SystemError("truncate") }
}
