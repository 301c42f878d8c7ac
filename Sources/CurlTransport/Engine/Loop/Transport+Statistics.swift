extension Transport {
    /// What the transport's origins and event loops do now.
    ///
    /// Each loop answers at its next turn, and looks at all of its requests and connections for it.
    /// So call it every few seconds, not for each request. After a shutdown, the statistics are
    /// empty.
    public func statistics() async -> TransportStatistics {
        var snapshots: [LoopSnapshot] = []
        for loop in loops {
            if let snapshot = await loop.snapshot() { snapshots.append(snapshot) }
        }
        return TransportStatistics(snapshots)
    }
}

extension EventLoop {
    /// The loop's statistics; nil if it has ended.
    fileprivate func snapshot() async -> LoopSnapshot? {
        await withCheckedContinuation { (continuation: CheckedContinuation<LoopSnapshot?, Never>) in
            let command = Command.describe { continuation.resume(returning: $0) }
            if !post(command) { continuation.resume(returning: nil) }
        }
    }
}
