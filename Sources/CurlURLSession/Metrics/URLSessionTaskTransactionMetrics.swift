internal import CurlTransport
public import Foundation

/// How one request and its response went.
///
/// What wasn't reached, or wasn't needed because a connection was used again, is `nil`. Dates are
/// computed from the engine's measurements, which are exact to the microsecond and never go back
/// when the system's clock does.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`. A class that others may inherit from can't say so otherwise; whoever
/// does answers for what he adds.
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    let content: Content

    /// What all properties are computed from, when they are asked for.
    struct Content: Sendable {
        let request: URLRequest
        let response: URLResponse?
        let metrics: TransferMetrics?
        let started: Date
        let fetchType: URLSessionTaskMetrics.ResourceFetchType
        let details: Details
    }

    /// What the engine's measurements don't tell.
    struct Details: Sendable {
        /// The bytes of the request's body that were sent, and how many there were.
        var bodyBytesSent: Int64 = 0
        var bodyBytes: Int64 = 0
        /// When the request had been sent.
        var requestSent: Date?
        /// Whether the other end of the connection is a proxy.
        var isProxied = false
    }

    /// - Parameters:
    ///   - metrics: What the engine measured; nil where nothing went over the network.
    ///   - started: When the engine was given the request, or the cache.
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

    /// The response's head; `nil` where none came.
    public var response: URLResponse? { content.response }

    /// Where the response came from.
    public var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { content.fetchType }

    /// How the host's name was looked up. Always `unknown`: the system's resolver doesn't tell.
    public var domainResolutionProtocol: URLSessionTaskMetrics.DomainResolutionProtocol {
        .unknown
    }

    /// The method, the URL, the protocol, the dates and the amounts, in English, on a line each.
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
