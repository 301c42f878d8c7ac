public import CurlTransport
public import HTTPTypes
public import Logging

#if !CurlServices
    #error("CurlServices needs the package trait of its name: add it to traits: […]")
#endif

/// Logs the course of each request with swift-log.
///
/// ```swift
/// let client = try HTTPClient(middleware: [LoggingMiddleware()])
/// ```
///
/// | level | message | when |
/// | --- | --- | --- |
/// | `trace` | `sending request` | before the request is passed on |
/// | `trace` | `following redirect` | for each redirect |
/// | `trace` | `transfer ended` | for each transfer, so also for each retry |
/// | `debug` | `request ended` | the response's body has ended |
/// | `debug` | `request failed` | the request, or its response's body, has failed |
///
/// Messages never change, and all values are metadata: `http.request.method`, `url.full` without
/// user info and query, `http.response.status_code`, `error.type`, and others under the names of
/// OpenTelemetry's conventions. The second one of a hedged request has `hedge`, and the slower one,
/// which is cancelled, has the `error.type` `lostHedge`. Failures aren't logged above `debug`, because the caller gets them
/// as errors. If the logger's level is above `debug`, a request costs nothing more.
///
/// The logger is that of the middleware, or else the task's: `Logger.current`. Its metadata, such
/// as the identifier of the request that the service handles, is in each line. So is that of its
/// metadata provider, such as the identifiers of the task's span, as of the request's start.
public struct LoggingMiddleware: HTTPMiddleware {
    private let logger: Logger?

    /// Logs the transfers of a `URLSession`: a value for its `transferObservers`.
    ///
    /// Each transfer has the line of its end, at `debug`. Without a logger of the middleware, the
    /// lines go to the one of the task that reads this property.
    public var observer: any TransferObserver { TransferLogger(logger: logger ?? Logger.current) }

    /// Creates a middleware.
    ///
    /// - Parameter logger: The logger of all requests. Default: the one of the task that sends the
    ///   request.
    public init(_ logger: Logger? = nil) {
        self.logger = logger
    }

    /// Sends the request, and logs its course.
    public func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        let logger = logger ?? Logger.current
        guard logger.logLevel <= .debug else {
            return try await next.send(request, body: body, context: context)
        }
        let log = RequestLog(logger, request, context)
        log.sending()
        return try await RequestWatch(log).send(request, body: body, context: context, next: next)
    }
}

/// Writes a line about each transfer.
private struct TransferLogger: TransferObserver {
    let logger: Logger

    func transferDidEnd(_ end: TransferEnd) {
        guard logger.logLevel <= .debug else { return }
        RequestLog(logger, end.request, RequestContext()).requestEnded(
            RequestOutcome(end, statusCode: end.statusCode)
        )
    }
}

/// Writes the lines about one request.
private struct RequestLog: RequestListener {
    private let logger: Logger

    init(_ logger: Logger, _ request: HTTPRequest, _ context: RequestContext) {
        var logger = logger
        // Most lines are logged on a loop thread, where the provider finds no task-local values.
        for (key, value) in logger.metadataProvider?.get() ?? [:] {
            logger[metadataKey: key] = value
        }
        logger[metadataKey: "http.request.method"] = .string(request.method.rawValue)
        logger[metadataKey: "url.full"] = .string(Conventions.url(of: request))
        if let name = context.name {
            logger[metadataKey: "url.template"] = .string(Conventions.template(of: name) ?? name)
        }
        self.logger = logger
    }

    func sending() {
        logger.trace("sending request")
    }

    func willFollow(_ redirect: Redirect, with request: inout HTTPRequest) {
        guard logger.logLevel <= .trace else { return }
        let metadata: Logger.Metadata = [
            "http.response.status_code": .stringConvertible(redirect.statusCode),
            "url.target": .string(Conventions.url(of: request)),
            "http.redirect_count": .stringConvertible(redirect.count),
        ]
        logger.trace("following redirect", metadata: metadata)
    }

    func transferEnded(_ end: TransferEnd) {
        guard logger.logLevel <= .trace else { return }
        let outcome = RequestOutcome(end, statusCode: end.statusCode)
        logger.trace("transfer ended", metadata: metadata(outcome))
    }

    func requestEnded(_ outcome: RequestOutcome) {
        let metadata = metadata(outcome)
        if outcome.error == nil {
            logger.debug("request ended", metadata: metadata)
        } else {
            logger.debug("request failed", metadata: metadata)
        }
    }

    private func metadata(_ outcome: RequestOutcome) -> Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        if let statusCode = outcome.statusCode {
            metadata["http.response.status_code"] = .stringConvertible(statusCode)
        }
        if let error = outcome.error {
            metadata["error.type"] = .string(
                outcome.lostHedge ? Conventions.lostHedge : error.code.description
            )
            metadata["error.message"] = .string(error.message)
        }
        guard let end = outcome.end else { return metadata }
        if end.isHedge { metadata["hedge"] = .stringConvertible(true) }
        metadata["transfer"] = .stringConvertible(end.id)
        metadata["duration"] = .stringConvertible(end.duration.seconds)
        metadata["http.response.body.size"] = .stringConvertible(end.receivedBytes)
        metadata["connection.reused"] = .stringConvertible(end.metrics.isConnectionReused)
        if let version = end.metrics.httpVersion {
            metadata["network.protocol.version"] = .string(version)
        }
        if let peer = end.metrics.peer { metadata["network.peer"] = .string(peer) }
        return metadata
    }
}
