public import CurlTransport
public import HTTPTypes

/// A client that answers from routes, without a network.
///
/// ```swift
/// let stub = StubClient()
///     .on(.get, "/users/*", reply: .json(#"{"name": "Ada"}"#))
///     .on(.post, "/orders", reply: .failure(.connectionLost), .status(.created))
/// let response = try await stub.send(HTTPRequest(url: "https://shop.example/users/7"))
/// ```
///
/// The first route that fits a request answers it. A request without a route fails with
/// `TransportError.Code.invalidRequest` and a message that lists the routes. The
/// stub records all requests. It follows no redirects. Like a client, it observes deadlines and
/// cancellation, and notifies the context's observers of the end of each transfer.
public final class StubClient: HTTPExchanging {
    private struct State: Sendable {
        var routes: [StubRoute]
        /// How many requests each route has answered.
        var counts: [Int]
        var requests: [StubRequest] = []
    }

    private let state: Watched<State>
    private let maximumBody: Int

    /// Creates a stub.
    ///
    /// - Parameter maximumBody: the maximum size of a request's content in bytes. Longer content
    ///   fails the request. Default: 64 MiB.
    public init(_ routes: [StubRoute] = [], maximumBody: Int = 64 << 20) {
        state = Watched(State(routes: routes, counts: routes.map { _ in 0 }))
        self.maximumBody = maximumBody
    }

    /// Creates a stub that answers each request with a closure.
    public convenience init(
        answer: @escaping @Sendable (StubRequest) async throws -> StubReply
    ) {
        self.init([StubRoute(nil, "**", answer: answer)])
    }

    // MARK: Routes

    /// Adds a route after the others.
    @discardableResult
    public func add(_ route: StubRoute) -> Self {
        state.update { state in
            state.routes.append(route)
            state.counts.append(0)
        }
        return self
    }

    /// Adds a route with replies in order; the last one also answers all later requests.
    @discardableResult
    public func on(
        _ method: HTTPRequest.Method?,
        _ pattern: StubPattern,
        reply first: StubReply,
        _ others: StubReply...
    ) -> Self {
        add(StubRoute(method, pattern, replies: [first] + others))
    }

    /// Adds a route whose replies depend on the requests. See ``StubRoute``.
    @discardableResult
    public func on(
        _ method: HTTPRequest.Method?,
        _ pattern: StubPattern,
        answer: @escaping @Sendable (StubRequest) async throws -> StubReply
    ) -> Self {
        add(StubRoute(method, pattern, answer: answer))
    }

    // MARK: Recorded requests

    /// All requests so far, in the order in which they were received, those without a route
    /// included.
    public var requests: [StubRequest] { state.read { $0.requests } }

    /// The requests that a route with this pattern would answer.
    public func requests(
        _ method: HTTPRequest.Method?,
        _ pattern: StubPattern
    ) -> [StubRequest] {
        requests.filter {
            (method == nil || method == $0.method) && pattern.matches($0.request)
        }
    }

    /// Waits until a number of requests has been received, and returns all.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func requests(count: Int) async throws -> [StubRequest] {
        try await state.wait { $0.requests.count >= count ? $0.requests : nil }
    }

    // MARK: Exchanges

    /// Records the request, and answers it by the first route that fits.
    ///
    /// - Throws: the reply's failure; `TransportError.Code.invalidRequest` if no
    ///   route fits; and as a client does for deadlines and cancellation.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext
    ) async throws(TransportError) -> HTTPClientResponse {
        let request = request.describing(body)
        let transfer = StubTransfer(request, context)
        do {
            guard !Task.isCancelled else { throw TransportError(.cancelled) }
            let body = try await body.collect(upTo: maximumBody)
            let reply = try await reply(to: request, body, context)
            return try await transfer.respond(with: reply)
        } catch {
            throw transfer.fail(with: error)
        }
    }

    private func reply(
        to request: HTTPRequest,
        _ body: [UInt8],
        _ context: RequestContext
    ) async throws -> StubReply {
        let (recorded, found) = state.update { state -> (StubRequest, (StubRoute, Int)?) in
            let recorded = StubRequest(
                number: state.requests.count,
                request: request,
                body: body,
                context: context
            )
            state.requests.append(recorded)
            guard let index = state.routes.firstIndex(where: { $0.matches(request) }) else {
                return (recorded, nil)
            }
            defer { state.counts[index] += 1 }
            return (recorded, (state.routes[index], state.counts[index]))
        }
        guard let (route, count) = found else { throw unanswered(request) }
        return try await route.answer(recorded, count)
    }

    private func unanswered(_ request: HTTPRequest) -> TransportError {
        let routes = state.read { $0.routes.map { "\($0)" } }
        let list = routes.isEmpty ? "it has none" : routes.joined(separator: ", ")
        return TransportError(
            .invalidRequest,
            phase: .queued,
            message: "the stub has no route for \(request.method) \(request.url ?? "-"). "
                + "Add one; its routes are: \(list).",
            url: request.url
        )
    }
}
