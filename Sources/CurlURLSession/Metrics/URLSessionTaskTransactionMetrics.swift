internal import CurlTransport
public import Foundation

// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
// proves to be `Sendable`. The compiler accepts no checked conformance for a class that is open to
// subclassing; a subclass is responsible for its own stored properties.
/// The measurements of one request and its response.
///
/// Phases that didn't happen are `nil`: those not reached, and those that a reused connection
/// skips. Dates are computed from the transport's measurements, which have a resolution of one
/// microsecond and don't go back when the system clock does.
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    let content: Content

    /// The data from which all properties are computed on demand.
    struct Content: Sendable {
        let request: URLRequest
        let response: URLResponse?
        let metrics: TransferMetrics?
        let started: Date
        let fetchType: URLSessionTaskMetrics.ResourceFetchType
        let details: Details
    }

    /// Facts that the transport's measurements don't contain.
    struct Details: Sendable {
        /// The request body bytes sent, and the size of the body.
        var bodyBytesSent: Int64 = 0
        var bodyBytes: Int64 = 0
        /// When the request had been sent.
        var requestSent: Date?
        /// Whether the connection goes through a proxy.
        var isProxied = false
    }

    /// - Parameters:
    ///   - metrics: The transport's measurements; `nil` if nothing went over the network.
    ///   - started: When the transport or the cache got the request.
    init(
        request: URLRequest,
        response: URLResponse?,
        metrics: TransferMetrics?,
        started: Date,
        fetchType: URLSessionTaskMetrics.ResourceFetchType,
        details: Details = Details()
    ) {
        content = Content(
            request: request,
            response: response,
            metrics: metrics,
            started: started,
            fetchType: fetchType,
            details: details
        )
    }

    /// The request.
    public var request: URLRequest { content.request }

    /// The response's head; `nil` if none arrived.
    public var response: URLResponse? { content.response }

    /// The source of the response.
    public var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { content.fetchType }

    /// How the host name was resolved. Always `unknown`: the system's resolver doesn't report it.
    public var domainResolutionProtocol: URLSessionTaskMetrics.DomainResolutionProtocol {
        .unknown
    }

    /// The method, path, status, source, protocol, connection and dates, one per line.
    ///
    /// In English.
    open override var description: String {
        let parts = [
            "(Request) \(request.httpMethod ?? "GET") \(request.url?.withoutUserInfo?.path ?? "-")",
            "(Response) \((response as? HTTPURLResponse).map { "\($0.statusCode)" } ?? "(null)")",
            "(Resource Fetch Type) \(resourceFetchType)",
            "(Protocol) \(networkProtocolName ?? "(null)")",
            "(Reused) \(isReusedConnection)",
            "(Remote) \(remoteAddress ?? "(null)"):\(remotePort ?? "(null)")",
        ]
        let dates = content.dates.map { "(\($0.name)) \($0.date.map { "\($0)" } ?? "(null)")" }
        return (parts + dates).joined(separator: "\n")
    }
}
