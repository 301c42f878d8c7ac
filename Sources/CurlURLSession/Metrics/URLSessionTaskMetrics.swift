public import Foundation

/// How a task went: how long it took, and each of its transactions.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever
/// does answers for what he adds.
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    private let content: Content

    private struct Content: Sendable {
        let transactionMetrics: [URLSessionTaskTransactionMetrics]
        let taskInterval: DateInterval
        let redirectCount: Int
    }

    init(
        transactionMetrics: [URLSessionTaskTransactionMetrics],
        taskInterval: DateInterval,
        redirectCount: Int
    ) {
        content = Content(
            transactionMetrics: transactionMetrics,
            taskInterval: taskInterval,
            redirectCount: redirectCount
        )
    }

    /// What was loaded, in order: a transaction for each request that was sent, or answered from the
    /// cache. What was found in the cache, and the origin was asked about, is two: the cache's, and then
    /// the network's, with a `304` if it still holds.
    public var transactionMetrics: [URLSessionTaskTransactionMetrics] {
        content.transactionMetrics
    }

    /// From the task's creation to its completion.
    public var taskInterval: DateInterval { content.taskInterval }

    /// How many redirects were followed.
    public var redirectCount: Int { content.redirectCount }

    /// The interval, the redirects and the transactions, in English, on a line each.
    open override var description: String {
        let lines = transactionMetrics.map { "\n\($0.description)" }.joined()
        return
            "\(super.description) (Task Interval) <\(taskInterval.start) to \(taskInterval.end), "
            + "\(taskInterval.duration) s> (Redirect Count) \(redirectCount) "
            + "(Transaction Metrics) [\(lines)\n]"
    }
}

extension URLSessionTaskMetrics {
    /// Where a response came from.
    public enum ResourceFetchType: Int, Sendable {
        /// It isn't known.
        case unknown = 0
        /// From the network.
        case networkLoad = 1
        /// Pushed by the server before it was asked for.
        case serverPush = 2
        /// From the cache.
        case localCache = 3
    }

    /// How a host's name was looked up.
    public enum DomainResolutionProtocol: Int, Sendable {
        /// It isn't known.
        case unknown = 0
        /// By DNS over UDP.
        case udp = 1
        /// By DNS over TCP.
        case tcp = 2
        /// By DNS over TLS.
        case tls = 3
        /// By DNS over HTTPS.
        case https = 4
    }
}
