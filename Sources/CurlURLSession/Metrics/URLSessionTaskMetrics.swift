public import Foundation

// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
// proves to be `Sendable`. The compiler accepts no checked conformance for a class that is open to
// subclassing; a subclass is responsible for its own stored properties.
/// The measurements of a task and of its transactions.
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

    /// The task's transactions, in order.
    ///
    /// There is one for each request sent or answered from the cache. A response that was found in
    /// the cache and revalidated has two: the cache's, then the network's, whose response is `304`
    /// if the stored response was still valid.
    public var transactionMetrics: [URLSessionTaskTransactionMetrics] {
        content.transactionMetrics
    }

    /// The interval from the task's creation to its completion.
    public var taskInterval: DateInterval { content.taskInterval }

    /// The number of redirects followed.
    public var redirectCount: Int { content.redirectCount }

    /// The interval, redirect count and transactions, in English, one per line.
    open override var description: String {
        let lines = transactionMetrics.map { "\n\($0.description)" }.joined()
        return
            "\(super.description) (Task Interval) <\(taskInterval.start) to \(taskInterval.end), "
            + "\(taskInterval.duration) s> (Redirect Count) \(redirectCount) "
            + "(Transaction Metrics) [\(lines)\n]"
    }
}

extension URLSessionTaskMetrics {
    /// The source of a response.
    public enum ResourceFetchType: Int, Sendable {
        /// The source is unknown.
        case unknown = 0
        /// The network.
        case networkLoad = 1
        /// A server push, before the client requested it.
        case serverPush = 2
        /// The cache.
        case localCache = 3
    }

    /// The protocol used to resolve a host name.
    public enum DomainResolutionProtocol: Int, Sendable {
        /// The protocol is unknown.
        case unknown = 0
        /// DNS over UDP.
        case udp = 1
        /// DNS over TCP.
        case tcp = 2
        /// DNS over TLS.
        case tls = 3
        /// DNS over HTTPS.
        case https = 4
    }
}
