internal import CurlTransport
internal import HTTPTypes
internal import Synchronization
internal import Tracing

/// Records the course of one request in its span, and ends it.
final class SpanRecorder: RequestListener {
    private struct State {
        /// The last transfer that has ended, which a retry may follow.
        var last: TransferEnd?
        var retryCount = 0
    }

    private let span: any Tracing.Span
    private let propagation: SpanPropagation
    private let state = Mutex(State())

    init(
        _ span: any Tracing.Span,
        _ propagation: SpanPropagation,
        _ request: HTTPRequest,
        _ context: RequestContext
    ) {
        self.span = span
        self.propagation = propagation
        let server = RequestOrigin(request)
        span.updateAttributes { attributes in
            let method = Conventions.method(of: request)
            attributes["http.request.method"] = method
            if method == "_OTHER" {
                attributes["http.request.method_original"] = request.method.rawValue
            }
            attributes["url.full"] = Conventions.url(of: request)
            attributes["url.scheme"] = server.scheme
            attributes["server.address"] = server.host
            attributes["server.port"] = server.port
            if let template = Conventions.template(of: context.name) {
                attributes["url.template"] = template
            }
        }
    }

    func willFollow(_ redirect: Redirect, with request: inout HTTPRequest) {
        propagation.write(to: &request)
        guard span.isRecording else { return }
        var attributes = SpanAttributes()
        attributes["http.response.status_code"] = redirect.statusCode
        attributes["url.full"] = Conventions.url(of: request)
        span.addEvent(SpanEvent(name: "http.redirect", attributes: attributes))
    }

    func transferEnded(_ end: TransferEnd) {
        let failed = state.withLock { state -> TransferEnd? in
            defer { state.last = end }
            if state.last != nil { state.retryCount += 1 }
            return state.last
        }
        // Middleware has sent the request again after this one.
        guard let failed, span.isRecording else { return }
        var attributes = SpanAttributes()
        if let statusCode = failed.statusCode {
            attributes["http.response.status_code"] = statusCode
        }
        if let type = Conventions.errorType(statusCode: failed.statusCode, error: failed.error) {
            attributes["error.type"] = type
        }
        span.addEvent(SpanEvent(name: "http.retry", attributes: attributes))
    }

    func requestEnded(_ outcome: RequestOutcome) {
        let retryCount = state.withLock { $0.retryCount }
        span.updateAttributes { attributes in
            if let statusCode = outcome.statusCode ?? outcome.end?.statusCode {
                attributes["http.response.status_code"] = statusCode
            }
            if let end = outcome.end { Self.add(end, retryCount, to: &attributes) }
            let type = Conventions.errorType(
                statusCode: outcome.statusCode,
                error: outcome.error
            )
            if let type { attributes["error.type"] = type }
        }
        if let error = outcome.error { span.recordError(error) }
        if let statusCode = outcome.statusCode, statusCode >= 400 {
            // The status says it all: OpenTelemetry wants no message.
            span.setStatus(SpanStatus(code: .error))
        } else if let error = outcome.error {
            span.setStatus(SpanStatus(code: .error, message: error.message))
        }
        span.end()
    }

    private static func add(
        _ end: TransferEnd,
        _ retryCount: Int,
        to attributes: inout SpanAttributes
    ) {
        let resent = end.metrics.redirectCount + retryCount
        if resent > 0 { attributes["http.request.resend_count"] = resent }
        if end.statusCode != nil {
            attributes["http.response.body.size"] = Int(clamping: end.receivedBytes)
        }
        if let version = end.metrics.httpVersion {
            attributes["network.protocol.version"] = version
        }
        if let address = end.metrics.remoteAddress {
            attributes["network.peer.address"] = address
        }
        if let port = end.metrics.remotePort { attributes["network.peer.port"] = port }
    }
}
