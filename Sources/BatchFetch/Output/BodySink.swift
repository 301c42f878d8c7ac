/// The destination of one attempt's body.
///
/// `receive` is called on an event loop, serially, and must not block. `finish` is called once
/// after the last piece; it calls `done` once, on any thread.
protocol BodySink: AnyObject, Sendable {
    /// Takes the next bytes, and returns whether to continue, pause or stop.
    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand

    /// Ends the body; `isComplete` is whether all of it has arrived.
    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void)
}

/// A sink's answer to the bytes that it has received.
enum BodyDemand: Sendable {
    /// The sink accepts more bytes.
    case more
    /// The transfer must pause until the sink resumes it.
    case pause
    /// The sink can't store the body; the attempt must end.
    case stop
}

/// Resumes a transfer that a sink has paused. May be used on any thread.
protocol FlowControl: Sendable {
    func resumeReceiving()
}

/// The final state of a body.
indirect enum BodyEnd: Sendable {
    case dropped
    case file(path: String)
    /// A file with this name existed and was kept.
    case existing(path: String)
    /// The body is in an archive, at this offset in bytes.
    case shard(name: String, offset: Int64)
    /// The body is incomplete, and the rest can be requested.
    case partial(PartialClaim)
    /// The body is one of several segments. The result is known when all of them have ended.
    case segment(SegmentedFile, BodyEnd)
    case memory([UInt8])
    /// The body is complete, but doesn't have the expected checksum.
    case mismatched(BatchFailure)
    case failed(BatchFailure)
}

extension BodyEnd {
    /// The end of this attempt's segment, or of the whole body.
    var own: BodyEnd {
        if case .segment(_, let end) = self { end } else { self }
    }
}
