internal import CurlTransport
internal import HTTPSemantics
internal import HTTPTypes

// Errors of requests that a middleware didn't send.

extension TransportError {
    /// The task was cancelled while the request waited.
    static func cancelledWhileWaiting(_ request: HTTPRequest) -> TransportError {
        TransportError(
            .cancelled,
            phase: .queued,
            message: "the task was cancelled while the request waited to be sent.",
            url: request.url
        )
    }

    /// The deadline leaves no time to wait.
    ///
    /// - Parameter reason: What the request would have waited for, such as "the rate limit of …".
    static func noTimeToWait(_ request: HTTPRequest, for reason: String) -> TransportError {
        TransportError(
            .deadlineExceeded,
            phase: .queued,
            message: "the request wasn't sent: its deadline is before \(reason) allows it. Send "
                + "fewer requests at once, or set a later deadline.",
            url: request.url,
            retry: .always
        )
    }

    /// As many requests wait as may.
    static func tooManyWait(
        _ request: HTTPRequest,
        for reason: String,
        limit: Int
    ) -> TransportError {
        TransportError(
            .queueFull,
            phase: .queued,
            message: "the request wasn't sent: \(limit) requests wait for \(reason) already, as "
                + "many as maximumQueued allows. Send fewer requests at once, or raise it.",
            url: request.url
        )
    }

    /// The circuit breaker of the origin is open.
    ///
    /// - Parameter pause: The time until the next attempt; nil while one is in flight.
    static func circuitOpen(_ request: HTTPRequest, pause: Duration?) -> TransportError {
        let end =
            pause.map { "the next request in \($0) tries it again" }
            ?? "a request is trying it again now"
        return TransportError(
            .circuitOpen,
            phase: .queued,
            message: "the request wasn't sent: \(request.origin) failed several times in a row, "
                + "and \(end). Use another server, or respond with an error at once.",
            url: request.url
        )
    }

    /// Whether the request waited or was refused in this process, which says nothing about the
    /// server.
    var isLocalRefusal: Bool {
        switch code {
        case .queueFull, .poolTimeout, .circuitOpen: true
        case .deadlineExceeded: phase == .queued
        default: false
        }
    }
}

extension Result where Success == HTTPClientResponse, Failure == TransportError {
    /// The result of an asynchronous call.
    init(catching body: () async throws(TransportError) -> HTTPClientResponse) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }

    /// The time that the server asks to wait (RFC 9110, section 10.2.3); nil without a valid one.
    func retryAfter(now: Int64) -> Duration? {
        guard case .success(let response) = self else { return nil }
        return response.head.firstValue(of: .retryAfter).flatMap {
            RetryAfter.delay(from: $0, now: now)
        }
    }
}
