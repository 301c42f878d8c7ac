internal import CurlTransport
internal import Foundation

// What is noted for a task's metrics.

extension TaskState {
    /// A load is over. What was answered from the cache is one transaction, and what the origin was asked
    /// about it another.
    mutating func noteTransaction() {
        guard recipients.task != nil, let load else { return }
        let metrics = load.outcome?.metrics
        guard case .cached(let cached) = load.response else {
            return transactions.append(
                transaction(load, load.response, metrics == nil ? .unknown : .networkLoad)
            )
        }
        transactions.append(transaction(load, load.response, .localCache))
        guard metrics != nil else { return }
        transactions.append(
            transaction(load, cached.confirmation.map { .head($0) }, .networkLoad)
        )
    }

    private func transaction(
        _ load: TaskLoad,
        _ response: LoadedResponse?,
        _ fetchType: URLSessionTaskMetrics.ResourceFetchType
    ) -> TaskTransaction {
        TaskTransaction(
            request: load.plan.request,
            response: response,
            metrics: fetchType == .networkLoad ? load.outcome?.metrics : nil,
            fetchType: fetchType,
            started: load.started,
            sent: load.sent,
            sentAt: load.sentAt,
            bodyLength: counts.expectedToSend
        )
    }
}
