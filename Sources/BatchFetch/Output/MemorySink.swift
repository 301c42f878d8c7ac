import Posix
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
            let message = "the body exceeds \(limit) bytes: raise the limit, or write files"
            return done(.failed(BatchFailure(.bodyTooLarge, message)))
        }
        done(isComplete ? .memory(body.withLock { $0.take() }) : .dropped)
    }
}

extension [UInt8] {
    /// Returns the bytes and leaves an empty array.
    fileprivate mutating func take() -> [UInt8] {
        defer { self = [] }
        return self
    }
}

/// Passes a body to an inspector, and drops it.
final class InspectorSink: BodySink {
    private let inspector: any BodyInspector

    init(_ inspector: any BodyInspector) {
        self.inspector = inspector
    }

    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand {
        inspector.inspect(bytes)
        return .more
    }

    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void) {
        guard isComplete, let complaint = inspector.finish() else { return done(.dropped) }
        done(.failed(BatchFailure(.verification, complaint)))
    }
}

/// Drops the body.
final class DiscardSink: BodySink {
    /// The sink has no state, so one instance suffices.
    static let shared = DiscardSink()

    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand { .more }

    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void) { done(.dropped) }
}
