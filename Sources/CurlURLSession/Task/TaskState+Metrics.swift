internal import CurlTransport
internal import Foundation

// What is noted for a task's metrics.

extension TaskState {
    /// A load is over. What was answered from the cache is one transaction, and what the origin was asked
    /// about it another, in that order: it was found before it was asked about.
    mutating func noteTransaction() {
        guard recipients.task != nil, let load else { return }
        let metrics = load.outcome?.metrics
        if case .cached = load.response {
            transactions.append(transaction(load, load.response, .localCache))
            guard metrics != nil else { return }
        }
        var started = load.started
        if let former = load.outcome?.former {
            transactions.append(
                transaction(load, .head(former.head), .networkLoad, former.metrics)
            )
            started += (former.metrics.queue + former.metrics.total).timeInterval
        }
        transactions.append(
            transaction(
                load,
                response(of: load),
                metrics == nil ? .unknown : .networkLoad,
                metrics,
                started: started
            )
        )
    }

    /// What the origin said, where it was asked.
    private func response(of load: TaskLoad) -> LoadedResponse? {
        guard case .cached(let cached) = load.response else { return load.response }
        return cached.confirmation.map { .head($0) }
    }

    private func transaction(
        _ load: TaskLoad,
        _ response: LoadedResponse?,
        _ fetchType: URLSessionTaskMetrics.ResourceFetchType,
        _ metrics: TransferMetrics? = nil,
        started: Date? = nil
    ) -> TaskTransaction {
        TaskTransaction(
            request: load.plan.request,
            response: response,
            metrics: metrics,
            fetchType: fetchType,
            started: started ?? load.started,
            sent: load.sent,
            sentAt: load.sentAt,
            bodyLength: load.plan.upload == .inquiry
                ? 0 : counts.expectedToSend - (load.plan.upload?.offset ?? 0)
        )
    }
}
