extension Transport {
    /// What the transport's origins and event loops do now.
    ///
    /// Each loop answers at its next turn, and looks at all of its requests and connections for it.
    /// So call it every few seconds, not for each request. After a shutdown, the statistics are
    /// empty.
    ///
    /// A loop doesn't answer while something blocks its thread, such as a ``TransferObserver`` that
    /// waits. It has the figures of its last answer then, without any if it hasn't answered yet,
    /// and ``LoopStatistics/isResponsive`` is false. Cancelling the task doesn't shorten the wait.
    ///
    /// - Parameter limit: How long to wait for the loops, all together. Default: 5 seconds.
    public func statistics(within limit: Duration = .seconds(5)) async -> TransportStatistics {
        let inquiries = loops.map { $0.askForStatistics() }
        // The clock can't add much longer times, such as `Int64.max` seconds.
        let limit = min(max(limit, .zero), .seconds(1_000_000_000))
        let timer = Task.detached {
            do {
                try await Task.sleep(for: limit)
            } catch {
                return
            }
            for inquiry in inquiries { inquiry.resolve(.late) }
        }
        defer { timer.cancel() }
        var snapshots: [LoopSnapshot] = []
        for (loop, inquiry) in zip(loops, inquiries) {
            switch await inquiry.answer() {
            case .snapshot(let snapshot): snapshots.append(snapshot)
            case .ended: break
            case .late: snapshots.append(loop.unresponsive(to: inquiry))
            }
        }
        return TransportStatistics(snapshots)
    }
}

extension EventLoop {
    fileprivate func askForStatistics() -> LoopInquiry {
        let inquiry = LoopInquiry()
        if inquiries.add(inquiry) { postDescription() }
        return inquiry
    }

    private func postDescription() {
        let command = Command.describe { [self] snapshot in
            if inquiries.answer(snapshot) { postDescription() }
        }
        if !post(command) { _ = inquiries.answer(nil) }
    }

    /// The figures of the last answer.
    fileprivate func unresponsive(to inquiry: LoopInquiry) -> LoopSnapshot {
        let last = inquiries.withdraw(inquiry)
        var statistics = last?.loop ?? LoopStatistics(index: index)
        statistics.isResponsive = false
        return LoopSnapshot(loop: statistics, origins: last?.origins ?? [])
    }
}
