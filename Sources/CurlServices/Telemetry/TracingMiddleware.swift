public import CurlTransport
public import HTTPTypes
public import Tracing

/// Makes a span of each request with swift-distributed-tracing, and passes its context on.
///
/// ```swift
/// let client = try HTTPClient(middleware: [TracingMiddleware()])
/// ```
///
/// The span begins when the request is passed on, so it includes the client's queue, and ends with
/// the response's body. It is a child of the task's span, and is the task's span meanwhile: for the
/// middleware after this one, for a streamed request body, and for the client's hooks. Its name is
/// `RequestContext.name`, or the method, or `HTTP` for an unknown method. Attributes have
/// OpenTelemetry's names, and `url.full` has no user info and no query. A status from 400 on and a
/// failure set the span's status, and a failure is recorded as an error.
///
/// Redirects are events of the span (`http.redirect`), and so are transfers that middleware after
/// this one has repeated (`http.retry`), and second requests of `HedgingMiddleware` (`http.hedge`).
/// `http.request.resend_count` is the number of all of them: OpenTelemetry counts each time that a
/// request is sent again, for whatever reason. For a span of each retry, put this after
/// `RetryMiddleware`; for one of each hedged request, after `HedgingMiddleware`. The span of the
/// slower request, which is cancelled, isn't an error; its `error.type` is `lostHedge`.
///
/// The tracer writes the span's context into header fields, such as `traceparent`. After a redirect
/// they are replaced. A server that ``Policy/excludedOrigins`` names, or that
/// ``Policy/propagates`` refuses, gets none, also if a redirect leads there.
///
/// See <https://opentelemetry.io/docs/specs/semconv/http/http-spans/>.
public struct TracingMiddleware: HTTPMiddleware {
    /// Which servers get the context of spans.
    public struct Policy: Sendable {
        /// Servers that don't, such as `https://payments.example`. Default: none.
        public var excludedOrigins: [String] = []

        /// Whether the server of a request gets it, if it isn't excluded. Default: always.
        ///
        /// It is called on a loop thread for requests of redirects, so it must not block.
        public var propagates: @Sendable (HTTPRequest) -> Bool = { _ in true }

        /// Creates the default policy.
        public init() {}
    }

    private let tracer: (any Tracer)?
    private let policy: Policy
    private let excluded: Set<String>

    /// Creates a middleware.
    ///
    /// - Parameter tracer: The tracer. Default: that of the task or of `InstrumentationSystem`.
    /// - Throws: `TransportError.Code.invalidURL` or `TransportError.Code.unsupportedURL` if an
    ///   excluded origin isn't one.
    public init(
        tracer: (any Tracer)? = nil,
        _ policy: Policy
    ) throws(TransportError) {
        var excluded: Set<String> = []
        for origin in policy.excludedOrigins {
            excluded.insert(try HTTPRequest(url: origin).origin)
        }
        self.tracer = tracer
        self.policy = policy
        self.excluded = excluded
    }

    /// Creates a middleware whose spans go to all servers.
    ///
    /// - Parameter tracer: The tracer. Default: that of the task or of `InstrumentationSystem`.
    public init(tracer: (any Tracer)? = nil) {
        self.tracer = tracer
        policy = Policy()
        excluded = []
    }

    /// Sends the request within a span.
    public func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        let used: any Tracer = tracer ?? InstrumentationSystem.tracer
        let span = used.startAnySpan(
            context.name ?? Conventions.spanName(of: request),
            context: ServiceContext.current ?? .topLevel,
            ofKind: .client
        )
        let propagation = SpanPropagation(
            instrument: tracer.map { $0 as any Instrument } ?? InstrumentationSystem.instrument,
            context: span.context,
            policy: policy,
            excluded: excluded
        )
        var request = request
        propagation.write(to: &request)
        let sent = request
        let recorder = SpanRecorder(span, propagation, sent, context)
        // `withValue` throws errors of any type.
        let result = await ServiceContext.withValue(span.context) {
            () async -> Result<HTTPClientResponse, TransportError> in
            do throws(TransportError) {
                return .success(
                    try await RequestWatch(recorder)
                        .send(sent, body: body, context: context, next: next)
                )
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

/// Writes the context of a span into the requests that may have it.
struct SpanPropagation: Sendable {
    let instrument: any Instrument
    let context: ServiceContext
    let policy: TracingMiddleware.Policy
    let excluded: Set<String>

    /// Replaces the fields that the instrument writes, or removes them.
    func write(to request: inout HTTPRequest) {
        var fields = HTTPFields()
        instrument.inject(context, into: &fields, using: FieldInjector())
        let isAllowed = !excluded.contains(request.origin) && policy.propagates(request)
        for field in fields {
            request.headerFields[field.name] = isAllowed ? field.value : nil
        }
    }
}

/// Adds header fields.
private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
        guard let name = HTTPField.Name(key) else { return }
        carrier[name] = value
    }
}
