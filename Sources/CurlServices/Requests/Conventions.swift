internal import CurlTransport
internal import HTTPTypes

/// Values of OpenTelemetry's semantic conventions for HTTP clients, version 1.29.
///
/// See <https://opentelemetry.io/docs/specs/semconv/http/>.
enum Conventions {
    private static let methods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
    ]

    /// `error.type` of the slower one of a hedged request, which is cancelled.
    static let lostHedge = "lostHedge"

    /// `http.request.method`: unknown methods share one name, which keeps the number of values small.
    static func method(of request: HTTPRequest) -> String {
        methods.contains(request.method.rawValue) ? request.method.rawValue : "_OTHER"
    }

    /// The name of a span without a name of its request: the method, or `HTTP` if it is unknown.
    static func spanName(of request: HTTPRequest) -> String {
        methods.contains(request.method.rawValue) ? request.method.rawValue : "HTTP"
    }

    /// `url.full` without user info, query and fragment, which may have secrets.
    static func url(of request: HTTPRequest) -> String {
        var request = request
        // The transport refuses such a request, but its failure is reported, too.
        if let authority = request.authority, authority.contains("@") {
            request.authority = String(RequestOrigin.withoutUserInfo(authority))
        }
        return String((request.url ?? "").prefix { $0 != "?" && $0 != "#" })
    }

    /// `url.template`: the name of a request such as `GET /users/{id}`, without its method.
    static func template(of name: String?) -> String? {
        guard let name, let space = name.firstIndex(of: " "),
            methods.contains(String(name[..<space]))
        else { return name }
        return String(name[name.index(after: space)...])
    }

    /// `error.type`: a status from 400 on, or the code of a failure; nil for success.
    ///
    /// The status comes first: the body of such a response is often released unread.
    ///
    /// - Parameter lostHedge: Whether the other one of a hedged request was answered first.
    static func errorType(
        statusCode: Int?,
        error: TransportError?,
        lostHedge: Bool = false
    ) -> String? {
        if let statusCode, statusCode >= 400 { return "\(statusCode)" }
        guard let error else { return nil }
        return lostHedge ? Self.lostHedge : error.code.description
    }

    /// `error.type` of a transfer.
    static func errorType(of end: TransferEnd) -> String? {
        errorType(statusCode: end.statusCode, error: end.error, lostHedge: end.lostHedge)
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { self / .seconds(1) }
}

extension TransferEnd {
    /// The time in the queue and that of the transfer.
    var duration: Duration { metrics.queue + metrics.total }

    /// The size of the response's body as received, before decompression.
    var receivedBytes: Int64 { max(0, metrics.responseBytes - metrics.responseHeadBytes) }
}
