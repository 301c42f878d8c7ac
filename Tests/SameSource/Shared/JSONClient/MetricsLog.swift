import Foundation
import Synchronization

/// Logs a task's metrics and its end.
final class MetricsLog: NSObject, URLSessionDataDelegate {
    private let stage: Stage
    private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

    init(_ stage: Stage) {
        self.stage = stage
    }

    func run(_ task: URLSessionTask) async {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0 = continuation }
            task.resume()
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        let count = metrics.transactionMetrics.count
        stage.log("didFinishCollecting: \(count) transactions, \(metrics.redirectCount) redirects")
        for transaction in metrics.transactionMetrics {
            let path = transaction.request.url?.path ?? "nowhere"
            let status = (transaction.response as? HTTPURLResponse)?.statusCode ?? 0
            let name = transaction.networkProtocolName ?? "no protocol"
            let isLoad = transaction.resourceFetchType == .networkLoad
            stage.log("\(path): \(status), \(name), loaded: \(isLoad)")
            stage.log("times in order: \(areInOrder(transaction))")
        }
    }

    private func areInOrder(_ transaction: URLSessionTaskTransactionMetrics) -> Bool {
        let times = [
            transaction.fetchStartDate, transaction.requestStartDate, transaction.requestEndDate,
            transaction.responseStartDate, transaction.responseEndDate,
        ].compactMap(\.self)
        return times.count == 5 && times == times.sorted()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        stage.log("didComplete: \(stage.text(of: error))")
        waiting.withLock { $0.take() }?.resume()
    }
}
