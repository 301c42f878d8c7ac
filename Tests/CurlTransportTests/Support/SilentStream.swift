internal import TestSupport

/// A sequence that yields these chunks and then nothing, neither bytes nor its end, until its task
/// is cancelled; a gate tells that it was.
struct SilentStream: AsyncSequence, Sendable {
    let chunks: [[UInt8]]
    let wasCancelled = Gate()

    init(after chunks: [[UInt8]] = []) {
        self.chunks = chunks
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>
        let wasCancelled: Gate

        mutating func next() async throws -> [UInt8]? {
            if let chunk = rest.popFirst() { return chunk }
            do {
                try await Gate().wait()
            } catch {
                wasCancelled.open()
                throw error
            }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: chunks[...], wasCancelled: wasCancelled)
    }
}
