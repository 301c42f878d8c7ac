public import CoreMetrics
public import CurlTransport
public import HTTPTypes

/// Records metrics of requests with swift-metrics, under OpenTelemetry's names.
///
/// ```swift
/// let client = try HTTPClient(middleware: [MetricsMiddleware()])
/// ```
///
/// | metric | kind | of |
/// | --- | --- | --- |
/// | `http.client.request.duration` | timer | each transfer, from the queue to the end of the body |
/// | `http.client.queue.duration` | timer | the part of it in the client's queue |
/// | `http.client.response.body.size` | recorder | each response: bytes as received |
/// | `http.client.active_requests` | meter | the requests that have begun and not ended |
/// | `http.client.hedges` | counter | second requests of `HedgingMiddleware`, once it has sent one |
///
/// The dimensions are `http.request.method`, `server.address`, `server.port` and `url.scheme`. The
/// duration and the size also have `http.response.status_code`, `network.protocol.version`,
/// `error.type`, and `url.template` from `RequestContext.name`. `error.type` is a status from
/// 400 on, or the name of a `TransportError.Code`. A request that fails without a
/// transfer, such as one that a circuit breaker refuses, has a duration of zero.
///
/// The slower one of a hedged request, which is cancelled, has the `error.type` `lostHedge`: leave
/// it out of error rates.
///
/// swift-metrics has no buckets: give your backend those of ``durationBuckets``. A program that
/// sends requests to servers that others choose gets many different values of `server.address`.
///
/// See <https://opentelemetry.io/docs/specs/semconv/http/http-metrics/>.
public struct MetricsMiddleware: HTTPMiddleware {
    /// The bounds of a histogram of durations in seconds that OpenTelemetry advises.
    public static let durationBuckets = [
        0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]

    private let instruments: RequestInstruments

    /// Records the transfers of a `URLSession`: a value for its `transferObservers`.
    ///
    /// It records the same metrics, except the active requests, and has no `url.template`.
    public var observer: any TransferObserver { TransferRecorder(instruments: instruments) }

    /// Creates a middleware.
    ///
    /// - Parameter factory: The backend. Default: that of `MetricsSystem`, which must have been
    ///   bootstrapped before the first request.
    public init(factory: (any MetricsFactory)? = nil) {
        instruments = RequestInstruments(factory)
    }

    /// Sends the request, and records its metrics.
    public func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        let record = RequestRecord(instruments, request, context)
        record.begin()
        return try await RequestWatch(record)
            .send(request, body: body, context: context, next: next)
    }
}

/// Records the metrics of one request.
private struct RequestRecord: RequestListener {
    private let instruments: RequestInstruments
    private let dimensions: RequestDimensions

    init(_ instruments: RequestInstruments, _ request: HTTPRequest, _ context: RequestContext) {
        self.instruments = instruments
        dimensions = RequestDimensions(
            method: Conventions.method(of: request),
            server: RequestOrigin(request),
            template: Conventions.template(of: context.name)
        )
    }

    func begin() {
        instruments.begun(dimensions.ofServer).active.increment()
    }

    func transferEnded(_ end: TransferEnd) {
        instruments.record(end, template: dimensions.template)
    }

    func requestEnded(_ outcome: RequestOutcome) {
        instruments.begun(dimensions.ofServer).active.decrement()
        guard outcome.end == nil, let error = outcome.error else { return }
        var dimensions = dimensions
        dimensions.errorType = Conventions.errorType(
            statusCode: nil,
            error: error,
            lostHedge: outcome.lostHedge
        )
        instruments.ended(dimensions).duration.recordNanoseconds(Int64(0))
    }
}

/// Records the metrics of transfers.
private struct TransferRecorder: TransferObserver {
    let instruments: RequestInstruments

    func transferDidEnd(_ end: TransferEnd) {
        instruments.record(end, template: nil)
    }
}

extension RequestInstruments {
    /// Records the end of a transfer.
    fileprivate func record(_ end: TransferEnd, template: String?) {
        // After redirects to another server, this is the one that answered.
        var dimensions = RequestDimensions(
            method: Conventions.method(of: end.request),
            server: RequestOrigin(end.request),
            template: template
        )
        dimensions.statusCode = end.statusCode
        dimensions.version = end.metrics.httpVersion
        dimensions.errorType = Conventions.errorType(of: end)
        let ended = ended(dimensions)
        ended.duration.recordNanoseconds(end.duration.nanoseconds)
        if end.statusCode != nil { ended.responseSize.record(end.receivedBytes) }
        begun(dimensions.ofServer).queue.recordNanoseconds(end.metrics.queue.nanoseconds)
        if end.isHedge { hedges(dimensions.ofServer).increment() }
    }
}

extension Duration {
    /// Whole nanoseconds.
    fileprivate var nanoseconds: Int64 { Int64(min(seconds * 1e9, 9e18)) }
}
