internal import CurlTransport
internal import HTTPTypes
internal import Synchronization
internal import Tracing

/// Records the course of one request in its span, and ends it.
final class SpanRecorder: RequestListener {
    private let span: any Tracing.Span
    private let propagation: SpanPropagation
    private let resends: Mutex<ResendCounter>

    init(
        _ span: any Tracing.Span,
        _ propagation: SpanPropagation,
        _ request: HTTPRequest,
        _ context: RequestContext
    ) {
        self.span = span
        self.propagation = propagation
        resends = Mutex(ResendCounter(within: context.hedge))
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
        let found = resends.withLock { $0.transferEnded(end) }
        guard span.isRecording else { return }
        // Middleware has sent the request again after this one.
        if let failed = found.retried {
            var attributes = SpanAttributes()
            if let statusCode = failed.statusCode {
                attributes["http.response.status_code"] = statusCode
            }
            if let type = Conventions.errorType(of: failed) { attributes["error.type"] = type }
            span.addEvent(SpanEvent(name: "http.retry", attributes: attributes))
        }
        if found.isHedged { span.addEvent(SpanEvent(name: "http.hedge")) }
    }

    func requestEnded(_ outcome: RequestOutcome) {
        let resendCount = resends.withLock { $0.count }
        span.updateAttributes { attributes in
            if let statusCode = outcome.statusCode ?? outcome.end?.statusCode {
                attributes["http.response.status_code"] = statusCode
            }
            if let end = outcome.end { Self.add(end, resendCount, to: &attributes) }
            if let type = outcome.errorType { attributes["error.type"] = type }
        }
        if let error = outcome.error, !outcome.lostHedge { span.recordError(error) }
        if let statusCode = outcome.statusCode, statusCode >= 400 {
            // The status says it all: OpenTelemetry wants no message.
            span.setStatus(SpanStatus(code: .error))
        } else if let error = outcome.error, !outcome.lostHedge {
            span.setStatus(SpanStatus(code: .error, message: error.message))
        }
        span.end()
    }

    private static func add(
        _ end: TransferEnd,
        _ resendCount: Int,
        to attributes: inout SpanAttributes
    ) {
        let resent = end.metrics.redirectCount + resendCount
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
