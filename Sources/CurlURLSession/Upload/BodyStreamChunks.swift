internal import Foundation

/// What an input stream has, chunk by chunk, read where waiting for it holds up nobody.
struct BodyStreamChunks: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    private let reader: BodyStreamReader
    private let pace: StreamPace?
    private let didFail: @Sendable (any Error) -> Void

    /// - Parameter didFail: Is told what was wrong with the stream.
    init(_ stream: BodyStream, didFail: @escaping @Sendable (any Error) -> Void) {
        reader = BodyStreamReader(stream)
        pace = stream.pace
        self.didFail = didFail
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(reader: reader, pace: pace, didFail: didFail)
    }

    struct Iterator: AsyncIteratorProtocol {
        let reader: BodyStreamReader
        let pace: StreamPace?
        let didFail: @Sendable (any Error) -> Void
        private var hasBegun = false

        init(
            reader: BodyStreamReader,
            pace: StreamPace?,
            didFail: @escaping @Sendable (any Error) -> Void
        ) {
            self.reader = reader
            self.pace = pace
            self.didFail = didFail
        }

        mutating func next() async throws -> [UInt8]? {
            // No thread waits meanwhile, and the transfer's end ends it.
            if let pace, hasBegun { try await Task.sleep(for: pace.delay) }
            hasBegun = true
            do {
                let bytes = try await reader.read()
                return bytes.isEmpty ? nil : bytes
            } catch {
                didFail(error)
                throw error
            }
        }
    }
}
