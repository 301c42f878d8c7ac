/// A body of given chunks, which may end with an error.
struct ChunkList: AsyncSequence, Sendable {
    struct Broken: Error {}

    let chunks: [[UInt8]]
    var failure: (any Error)?

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>
        let failure: (any Error)?

        mutating func next() async throws -> [UInt8]? {
            if let chunk = rest.popFirst() { return chunk }
            if let failure { throw failure }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: chunks[...], failure: failure)
    }
}
