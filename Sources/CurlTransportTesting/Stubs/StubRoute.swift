public import HTTPTypes

/// Which requests a stub answers, and how.
public struct StubRoute: Sendable, CustomStringConvertible {
    /// The method; nil for each.
    public let method: HTTPRequest.Method?

    /// The URLs.
    public let pattern: StubPattern

    let answer: @Sendable (_ request: StubRequest, _ count: Int) async throws -> StubReply

    /// Creates a route with a list of replies.
    ///
    /// - Parameters:
    ///   - method: nil for each method.
    ///   - first: The reply to the first request.
    ///   - others: The replies to the next requests, in order. The last one also answers all later ones.
    public init(
        _ method: HTTPRequest.Method?,
        _ pattern: StubPattern,
        reply first: StubReply,
        _ others: StubReply...
    ) {
        self.init(method, pattern, replies: [first] + others)
    }

    /// - Parameter replies: at least one.
    init(_ method: HTTPRequest.Method?, _ pattern: StubPattern, replies: [StubReply]) {
        self.init(
            method,
            pattern,
            counting: { _, count in
                replies[min(count, replies.count - 1)]
            }
        )
    }

    /// Creates a route whose replies depend on the requests.
    ///
    /// - Parameter answer: runs in the task that sends the request, so it may wait. An error that
    ///   it throws fails the request: a `TransportError` as it is, any other as the
    ///   `underlying` of one.
    public init(
        _ method: HTTPRequest.Method?,
        _ pattern: StubPattern,
        answer: @escaping @Sendable (StubRequest) async throws -> StubReply
    ) {
        self.init(method, pattern, counting: { request, _ in try await answer(request) })
    }

    private init(
        _ method: HTTPRequest.Method?,
        _ pattern: StubPattern,
        counting answer: @escaping @Sendable (StubRequest, Int) async throws -> StubReply
    ) {
        self.method = method
        self.pattern = pattern
        self.answer = answer
    }

    /// The method and the pattern, such as `GET /users/*`.
    public var description: String { "\(method?.rawValue ?? "*") \(pattern)" }

    func matches(_ request: HTTPRequest) -> Bool {
        (method == nil || method == request.method) && pattern.matches(request)
    }
}
