public import HTTPTypes

/// Observes the transfers of a request: their redirects and their ends, failures included.
///
/// Middleware adds observers to the context that it passes on:
///
/// ```swift
/// struct Counting: HTTPMiddleware, TransferObserver {
///     let ends: @Sendable (TransferEnd) -> Void
///
///     func intercept(
///         _ request: HTTPRequest,
///         body: RequestBody,
///         context: RequestContext,
///         next: any HTTPExchanging
///     ) async throws(TransportError) -> HTTPClientResponse {
///         var context = context
///         context.observers.append(self)
///         return try await next.send(request, body: body, context: context)
///     }
///
///     func transferDidEnd(_ end: TransferEnd) { ends(end) }
/// }
/// ```
///
/// **Thread.** The methods are called on the transfer's loop thread, which hundreds of other
/// transfers share: store the values and return, and never block. If a transfer can't start, they
/// are called in the task that sends the request.
public protocol TransferObserver: Sendable {
    /// A redirect is about to be followed with `request`, which the observer may change.
    ///
    /// Use it to replace fields that belong to one request, such as `traceparent`. Observers are
    /// called in order, each with the changes of those before it.
    ///
    /// - Parameters:
    ///   - id: the transfer. It is the same for all requests of a redirect.
    ///   - redirect: the redirect, with the request that was proposed.
    ///   - request: the request that will be sent to the redirect's target.
    func transfer(
        _ id: TransferID,
        willFollow redirect: Redirect,
        with request: inout HTTPRequest
    )

    /// A transfer has ended. Called exactly once for each, before its response's body ends for the
    /// reader.
    ///
    /// Each request that an ``HTTPClient`` is asked to send has one transfer, even if it is refused
    /// before it starts. Middleware that repeats a request has one for each repetition.
    func transferDidEnd(_ end: TransferEnd)
}

extension TransferObserver {
    /// Changes nothing.
    public func transfer(
        _ id: TransferID,
        willFollow redirect: Redirect,
        with request: inout HTTPRequest
    ) {}
}

/// The end of a transfer: its result and its measurements.
public struct TransferEnd: Sendable {
    /// The transfer, as in ``HTTPClientResponse/id`` and ``TransportError/transferID``.
    public var id: TransferID

    /// The request that was sent last, after redirects.
    public var request: HTTPRequest

    /// The status code of the response; nil if none was received.
    public var statusCode: Int?

    /// The durations, sizes and the connection.
    public var metrics: TransferMetrics

    /// Why the transfer failed; nil on success.
    ///
    /// It is ``TransportError/Code/cancelled`` if the body was released before its end.
    public var error: TransportError?

    /// Whether it was cancelled because the other one of a hedged request was answered first.
    ///
    /// Its error is ``TransportError/Code/cancelled``, but the request hasn't failed. See
    /// `HedgingMiddleware` of `CurlResilience`.
    public package(set) var lostHedge = false

    /// Whether it is the second one of a hedged request.
    public var isHedge: Bool { hedge?.isSecond ?? false }

    /// Which one of a hedged request's two it is; nil if the request isn't hedged.
    package var hedge: HedgedRequest?

    /// Creates an end, for stubs and other implementations of ``HTTPExchanging``.
    public init(
        id: TransferID,
        request: HTTPRequest,
        statusCode: Int? = nil,
        metrics: TransferMetrics = TransferMetrics(),
        error: TransportError? = nil
    ) {
        self.id = id
        self.request = request
        self.statusCode = statusCode
        self.metrics = metrics
        self.error = error
    }
}
