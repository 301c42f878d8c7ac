/// What belongs to one request besides its message: options, deadline, name, idempotency.
public struct RequestContext: Sendable {
    /// The options of the transfer; nil for the client's own. Default: nil.
    public var options: PreparedOptions?

    /// When the transfer must have completed, including its body; nil for no deadline.
    ///
    /// Middleware that repeats or delays a request must end before it. See
    /// ``HTTPClient/send(_:body:deadline:)``.
    public var deadline: ContinuousClock.Instant?

    /// The name of the operation for logs, metrics and traces, such as `GET /users/{id}`.
    ///
    /// Unlike a URL, it has no identifiers, so there are few different ones. Default: nil.
    public var name: String?

    /// Whether the request may be sent again though the server may have acted on it.
    ///
    /// Default: ``Idempotency/byMethod``. Both the client and middleware obey it.
    public var idempotency: Idempotency

    /// Observers of the request's transfers. They are called in this order.
    public var observers: [any TransferObserver]

    /// Which one of a hedged request's two it is; nil if it isn't hedged.
    package var hedge: HedgedRequest?

    /// Creates a context. The defaults are those of a request without a context.
    public init(
        options: PreparedOptions? = nil,
        deadline: ContinuousClock.Instant? = nil,
        name: String? = nil,
        idempotency: Idempotency = .byMethod,
        observers: [any TransferObserver] = []
    ) {
        self.options = options
        self.deadline = deadline
        self.name = name
        self.idempotency = idempotency
        self.observers = observers
    }

    /// The time until the deadline, zero if it has passed; nil without a deadline.
    public var remainingTime: Duration? {
        deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
    }
}
