internal import Foundation

/// Reads an input stream in chunks, on a thread that may block.
struct BodyStreamChunks: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    private let reader: BodyStreamReader
    private let pace: StreamPace?
    private let didFail: @Sendable (any Error) -> Void

    /// - Parameter didFail: Called with the stream's error.
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
            // No thread blocks during the wait, and the end of the transfer cancels it.
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

/// Splits a body in memory into slices.
struct DataSlices: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    private let data: Data
    private let size: Int

    init(_ data: Data, size: Int) {
        self.data = data
        self.size = size
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(rest: data[...], size: size)
    }

    struct Iterator: AsyncIteratorProtocol {
        var rest: Data
        let size: Int

        mutating func next() async -> [UInt8]? {
            guard !rest.isEmpty else { return nil }
            let slice = rest.prefix(size)
            rest = rest.dropFirst(size)
            return [UInt8](slice)
        }
    }
}
