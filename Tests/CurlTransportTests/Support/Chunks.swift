/// A sequence of ready byte chunks, optionally followed by an error.
struct Chunks: AsyncSequence, Sendable {
    let chunks: [[UInt8]]
    var error: (any Error)?

    init(_ chunks: [[UInt8]], throwing error: (any Error)? = nil) {
        self.chunks = chunks
        self.error = error
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>
        let error: (any Error)?

        mutating func next() async throws -> [UInt8]? {
            if let chunk = rest.popFirst() { return chunk }
            if let error { throw error }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: chunks[...], error: error)
    }
}
