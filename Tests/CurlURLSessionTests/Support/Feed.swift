internal import Dispatch
internal import Synchronization

/// The content of a stream, supplied by the test in pieces.
final class Feed: Sendable {
    private let pieces = Mutex<[[UInt8]]>([])
    private let arrived = DispatchSemaphore(value: 0)

    /// Adds a piece. An empty piece is the end.
    func send(_ piece: [UInt8]) {
        pieces.withLock { $0.append(piece) }
        arrived.signal()
    }

    /// Waits for the next piece.
    func next() -> [UInt8] {
        arrived.wait()
        return pieces.withLock { $0.removeFirst() }
    }
}
