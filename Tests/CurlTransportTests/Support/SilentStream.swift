internal import TestSupport

/// A sequence that yields chunks and then waits until its task is cancelled.
///
/// After the chunks it yields neither bytes nor its end. `wasLetGo` opens when no task iterates it
/// any more.
struct SilentStream: AsyncSequence, Sendable {
    let chunks: [[UInt8]]
    let wasLetGo = Gate()

    init(after chunks: [[UInt8]] = []) {
        self.chunks = chunks
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>
        let ending: Ending

        mutating func next() async throws -> [UInt8]? {
            if let chunk = rest.popFirst() { return chunk }
            try await Gate().wait()
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: chunks[...], ending: Ending(wasLetGo))
    }

    /// Opens the gate when the iterator is released.
    ///
    /// The producer may be released before it asks for more.
    final class Ending: Sendable {
        private let gate: Gate

        init(_ gate: Gate) {
            self.gate = gate
        }

        deinit {
            gate.open()
        }
    }
}
