/// Drops what it is given.
final class DiscardSink: BodySink {
    /// One is enough for all.
    static let shared = DiscardSink()

    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand { .more }

    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void) { done(.dropped) }
}
