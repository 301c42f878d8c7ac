import Foundation
import Synchronization

/// Logs all metrics, the times by their order.
final class MeasuringDelegate: NSObject, URLSessionDataDelegate {
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
        stage.log("took time: \(metrics.taskInterval.duration > 0)")
        stage.log("\(metrics.redirectCount) redirects")
        for transaction in metrics.transactionMetrics {
            describeEnds(transaction)
            describeTimes(transaction)
            describeSizes(transaction)
        }
    }

    private func describeEnds(_ transaction: URLSessionTaskTransactionMetrics) {
        stage.log("\(transaction.request.url?.path ?? "nowhere")")
        stage.log("\((transaction.response as? HTTPURLResponse)?.statusCode ?? 0)")
        stage.log("protocol \(transaction.networkProtocolName ?? "none")")
        stage.log("proxy \(transaction.isProxyConnection)")
        stage.log("reused \(transaction.isReusedConnection)")
        stage.log("fetch \(transaction.resourceFetchType.rawValue)")
        stage.log("from \(transaction.localAddress ?? "nowhere"), \(transaction.localPort != nil)")
        let port = stage.base.port.map { "\($0)" }
        stage.log("to \(transaction.remoteAddress ?? "nowhere"), \(transaction.remotePort == port)")
        stage.log("TLS \(transaction.negotiatedTLSProtocolVersion.map { "\($0)" } ?? "none")")
        stage.log("suite \(transaction.negotiatedTLSCipherSuite.map { "\($0)" } ?? "none")")
        stage.log("cellular \(transaction.isCellular), expensive \(transaction.isExpensive)")
        stage.log("constrained \(transaction.isConstrained), multipath \(transaction.isMultipath)")
        stage.log("names by \(transaction.domainResolutionProtocol.rawValue)")
    }

    private func describeTimes(_ transaction: URLSessionTaskTransactionMetrics) {
        let times = [
            transaction.fetchStartDate, transaction.domainLookupStartDate,
            transaction.domainLookupEndDate, transaction.connectStartDate,
            transaction.connectEndDate, transaction.requestStartDate, transaction.requestEndDate,
            transaction.responseStartDate, transaction.responseEndDate,
        ].compactMap { $0 }
        stage.log("in order: \(times == times.sorted())")
        stage.log("connected: \(transaction.connectEndDate != nil)")
        let isSecure = transaction.secureConnectionStartDate != nil
        stage.log("secured: \(isSecure), \(transaction.secureConnectionEndDate != nil)")
    }

    private func describeSizes(_ transaction: URLSessionTaskTransactionMetrics) {
        stage.log("request: \(transaction.countOfRequestHeaderBytesSent > 0)")
        stage.log("body before: \(transaction.countOfRequestBodyBytesBeforeEncoding)")
        stage.log("body: \(transaction.countOfRequestBodyBytesSent)")
        stage.log("response: \(transaction.countOfResponseHeaderBytesReceived > 0)")
        stage.log("body: \(transaction.countOfResponseBodyBytesReceived)")
        stage.log("body after: \(transaction.countOfResponseBodyBytesAfterDecoding)")
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
