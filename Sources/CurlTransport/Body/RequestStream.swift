/// Receives the chunks of a request's body from its producer.
protocol ChunkSink: AnyObject, Sendable {
    /// Adds a chunk, and may wait. Returns false if no more are wanted.
    func append(_ chunk: [UInt8]) async -> Bool

    /// Marks the end of the body.
    func finish()

    /// Ends the body with an error of the program.
    func fail(_ error: any Error)

    /// Ends the body with an error of the transport: a reason without a full stop.
    func fail(because reason: String)
}

/// A type-erased asynchronous sequence of byte chunks.
struct RequestStream: Sendable {
    var length: Int64?
    let isRestartable: Bool

    /// Iterates a new sequence into the sink until it ends, fails or the task is cancelled.
    let pump: @Sendable (any ChunkSink) async -> Void

    init(
        length: Int64?,
        isRestartable: Bool,
        pump: @escaping @Sendable (any ChunkSink) async -> Void
    ) {
        self.length = length
        self.isRestartable = isRestartable
        self.pump = pump
    }

    init<Bytes: AsyncSequence & Sendable>(
        length: Int64?,
        isRestartable: Bool,
        _ make: @escaping @Sendable () -> Bytes
    ) where Bytes.Element == [UInt8] {
        self.length = length
        self.isRestartable = isRestartable
        pump = { sink in
            do {
                for try await chunk in make() {
                    guard await sink.append(chunk) else { return }
                }
                sink.finish()
            } catch {
                sink.fail(error)
            }
        }
    }
}
