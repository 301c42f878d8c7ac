internal import CurlTransport
internal import Foundation

/// One request of a task and how it went, until metrics are made of it.
struct TaskTransaction: Sendable {
    let request: URLRequest
    let response: LoadedResponse?
    /// `nil` where nothing went over the network.
    let metrics: TransferMetrics?
    let fetchType: URLSessionTaskMetrics.ResourceFetchType
    let started: Date
    let sent: Int64
    let sentAt: Date?
    let bodyLength: Int64

    func metrics(settings: SessionSettings) -> URLSessionTaskTransactionMetrics {
        let url = request.url
        return URLSessionTaskTransactionMetrics(
            request: request,
            response: response?.response(url: url),
            metrics: metrics,
            started: started,
            fetchType: fetchType,
            details: .init(
                bodyBytesSent: sent,
                bodyBytes: max(bodyLength, sent),
                requestSent: sentAt,
                isProxied: metrics.map { settings.isProxied($0, url: url) } ?? false
            )
        )
    }
}
