/// Shows a body to an inspector, and drops it.
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
