internal import CurlTransport
internal import Foundation

/// One request and its measurements, until the metrics are created.
struct TaskTransaction: Sendable {
    let request: URLRequest
    let response: LoadedResponse?
    /// `nil` if nothing went over the network.
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

extension TaskTransaction {
    fileprivate init(
        _ load: TaskLoad,
        _ response: LoadedResponse?,
        _ fetchType: URLSessionTaskMetrics.ResourceFetchType,
        _ bodyLength: Int64,
        _ metrics: TransferMetrics? = nil,
        started: Date? = nil
    ) {
        self.init(
            request: load.loadRequest.request,
            response: response,
            metrics: metrics,
            fetchType: fetchType,
            started: started ?? load.started,
            sent: load.sent,
            sentAt: load.sentAt,
            bodyLength: bodyLength
        )
    }
}

/// The transactions of a task so far.
struct TaskTransactions: Sendable {
    private var list: [TaskTransaction] = []

    /// Takes all transactions.
    mutating func take() -> [TaskTransaction] {
        defer { list = [] }
        return list
    }

    /// Records the transactions of a completed load.
    ///
    /// A cached response is one transaction, and its revalidation with the origin another one after
    /// it.
    ///
    /// - Parameters:
    ///   - response: What the task has made of the load's head; `nil` if it has made nothing.
    ///   - bodyLength: The length of the request's body; -1 if unknown.
    mutating func note(_ load: TaskLoad, as response: URLResponse?, bodyLength: Int64) {
        let metrics = load.outcome?.metrics
        if case .cached = load.response {
            list.append(TaskTransaction(load, load.response, .localCache, bodyLength))
            guard metrics != nil else { return }
        }
        var started = load.started
        if let former = load.outcome?.former {
            let head = LoadedResponse.head(former.head)
            list.append(TaskTransaction(load, head, .networkLoad, bodyLength, former.metrics))
            started += (former.metrics.queue + former.metrics.total).timeInterval
        }
        list.append(
            TaskTransaction(
                load,
                received(by: load, as: response),
                metrics == nil ? .unknown : .networkLoad,
                bodyLength,
                metrics,
                started: started
            )
        )
    }

    /// The origin's response, if the origin was asked.
    private func received(by load: TaskLoad, as response: URLResponse?) -> LoadedResponse? {
        switch load.response {
        case .cached(let cached): cached.confirmation.map { .head($0) }
        case .head: response.map { .response($0) } ?? load.response
        case .response, nil: load.response
        }
    }
}
