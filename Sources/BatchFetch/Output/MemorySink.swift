import Curl
import Synchronization

/// Collects a body in memory, up to a limit.
final class MemorySink: BodySink {
    private let limit: Int
    private let body = Mutex<[UInt8]>([])
    private let isTooLarge = Atomic(false)

    init(limit: Int) {
        self.limit = max(0, limit)
    }

    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand {
        body.withLock { body in
            guard bytes.count <= limit - body.count else {
                isTooLarge.store(true, ordering: .relaxed)
                body = []
                return .stop
            }
            body.append(copying: bytes)
            return .more
        }
    }

    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void) {
        if isTooLarge.load(ordering: .relaxed) {
            let message = "the body has more than \(limit) bytes: raise the limit, or write files"
            return done(.failed(BatchFailure(.bodyTooLarge, message)))
        }
        done(isComplete ? .memory(body.withLock { $0.take() }) : .dropped)
    }
}

extension [UInt8] {
    /// Leaves nothing behind.
    fileprivate mutating func take() -> [UInt8] {
        defer { self = [] }
        return self
    }
}
