/// Where the body of one attempt goes.
///
/// `receive` is called on an event loop, piece by piece and never two at once; it must not block.
/// `finish` comes once, after the last piece, and calls back once, on whatever thread.
protocol BodySink: AnyObject, Sendable {
    /// Takes the next bytes, and says how the flow goes on.
    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand

    /// There is no more; `isComplete` says whether that is the whole body.
    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void)
}
