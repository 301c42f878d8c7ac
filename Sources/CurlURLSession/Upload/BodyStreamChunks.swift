internal import Foundation

/// What an input stream has, chunk by chunk, read where waiting for it holds up nobody.
struct BodyStreamChunks: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    private let reader: BodyStreamReader
    private let didFail: @Sendable (any Error) -> Void

    /// - Parameter didFail: Is told what was wrong with the stream.
    init(_ stream: BodyStream, didFail: @escaping @Sendable (any Error) -> Void) {
        reader = BodyStreamReader(stream)
        self.didFail = didFail
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(reader: reader, didFail: didFail)
    }

    struct Iterator: AsyncIteratorProtocol {
        let reader: BodyStreamReader
        let didFail: @Sendable (any Error) -> Void

        mutating func next() async throws -> [UInt8]? {
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
