public import HTTPTypes

/// Sends requests and returns their responses: a client, a stub, or middleware around one.
///
/// Write code that sends requests against this protocol. Then tests can pass a stub, such as
/// `StubClient` of the product `CurlTransportTesting`, and the program can pass an ``HTTPClient``.
///
/// ```swift
/// struct Users {
///     let client: any HTTPExchanging
///
///     func name(of id: Int) async throws(TransportError) -> String {
///         let request = try HTTPRequest(url: "https://users.example/\(id)/name")
///         let response = try await client.send(request)
///         return String(decoding: try await response.body.collect(upTo: 1024), as: UTF8.self)
///     }
/// }
/// ```
public protocol HTTPExchanging: Sendable {
    /// Sends a request and returns when the response's head has arrived.
    ///
    /// - Throws: ``TransportError/Code/cancelled`` if the task is cancelled, or any other error
    ///   that ends the transfer before the response's head. A status such as 404 is a response.
    func send(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext
    ) async throws(TransportError) -> HTTPClientResponse
}

extension HTTPExchanging {
    /// Sends a request and returns when the response's head has arrived.
    ///
    /// - Parameter deadline: when the transfer must have completed, including its body; nil for no
    ///   deadline.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody = .none,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TransportError) -> HTTPClientResponse {
        try await send(request, body: body, context: RequestContext(deadline: deadline))
    }
}

/// Code around each request: it may change, delay, repeat, answer and observe requests.
///
/// ```swift
/// struct UserAgent: HTTPMiddleware {
///     let name: String
///
///     func intercept(
///         _ request: HTTPRequest,
///         body: RequestBody,
///         context: RequestContext,
///         next: any HTTPExchanging
///     ) async throws(TransportError) -> HTTPClientResponse {
///         var request = request
///         request.headerFields[.userAgent] = name
///         return try await next.send(request, body: body, context: context)
///     }
/// }
///
/// let client = try HTTPClient(middleware: [UserAgent(name: "shop/1.0")])
/// ```
///
/// Middleware runs in the task that sends the request, with its task-local values and its
/// cancellation. It must end before ``RequestContext/deadline``. It repeats a request only if
/// ``RequestContext/idempotency`` and ``RequestBody/isReplayable`` allow it, or if
/// ``TransportError/retry-swift.property`` is ``TransportError/Retry/always``. To learn how a
/// transfer ends, after the response's head, it adds a ``TransferObserver`` to the context.
public protocol HTTPMiddleware: Sendable {
    /// Answers a request, mostly by calling `next`.
    ///
    /// - Parameter next: the next middleware, or the client after the last one. It may be called
    ///   any number of times.
    func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse
}

/// Middleware around a client or a stub.
///
/// The first middleware is the outermost: it is called first, and gets its response last.
public struct MiddlewareChain: HTTPExchanging {
    private let first: any HTTPExchanging

    /// Creates a chain. Without middleware, it calls `exchanger` directly.
    public init(_ middleware: [any HTTPMiddleware], around exchanger: any HTTPExchanging) {
        var next = exchanger
        for middleware in middleware.reversed() {
            next = MiddlewareLink(middleware: middleware, next: next)
        }
        first = next
    }

    /// Calls the outermost middleware.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext
    ) async throws(TransportError) -> HTTPClientResponse {
        // So that middleware sees the field that is sent.
        try await first.send(request.describing(body), body: body, context: context)
    }
}

/// One middleware, with what it calls.
private struct MiddlewareLink: HTTPExchanging {
    let middleware: any HTTPMiddleware
    let next: any HTTPExchanging

    func send(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext
    ) async throws(TransportError) -> HTTPClientResponse {
        try await middleware.intercept(request, body: body, context: context, next: next)
    }
}
