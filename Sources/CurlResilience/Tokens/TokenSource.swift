public import CurlTransport
internal import Posix
internal import Synchronization

/// Keeps an access token, and refreshes it once for all requests that need a new one.
///
/// ```swift
/// let tokens = TokenSource { expired in
///     AccessToken(try await logIn())
/// }
/// ```
///
/// ``AuthenticationMiddleware`` uses it. Interceptors of other layers may share it. It is used from
/// any task.
public final class TokenSource: Sendable {
    /// The sources whose refreshes the current task runs.
    @TaskLocal private static var refreshing: [TokenSource] = []

    /// Whether the current task runs this source's refresh, whose own requests need no token of it.
    var isRefreshing: Bool { Self.refreshing.contains { $0 === self } }

    private typealias Refreshed = Promise<Result<AccessToken, TransportError>>

    private struct State: Sendable {
        var tokens: TokenState
        var refreshed = Refreshed()
    }

    private let state: Mutex<State>
    private let refresh: @Sendable (AccessToken?) async throws -> AccessToken
    private let clock: ResilienceClock

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - token: The first token; nil if the first request refreshes it.
    ///   - refresh: Returns a new token. It gets the token to replace, or nil if there is none. It
    ///     runs in a task of its own with the task-local values and the priority of the request
    ///     that needs it first, never twice at once, and is never cancelled. If it throws, all
    ///     requests that wait for it fail with the code
    ///     `TransportError.Code.authenticationFailed` and its error as
    ///     `TransportError.underlying`; the next request refreshes again.
    public convenience init(
        token: AccessToken? = nil,
        refresh: @escaping @Sendable (AccessToken?) async throws -> AccessToken
    ) {
        self.init(token: token, clock: .continuous, refresh: refresh)
    }

    package init(
        token: AccessToken? = nil,
        clock: ResilienceClock,
        refresh: @escaping @Sendable (AccessToken?) async throws -> AccessToken
    ) {
        state = Mutex(State(tokens: TokenState(token)))
        self.clock = clock
        self.refresh = refresh
    }

    /// A token for a request.
    ///
    /// It is refreshed first if there is none, if it has expired, or if it was refused.
    ///
    /// - Parameters:
    ///   - refused: The token that the server refused; nil for a request that wasn't sent yet. If
    ///     another request has refreshed it meanwhile, the new one is returned.
    ///   - deadline: Until when to wait for a refresh; nil for no deadline.
    /// - Throws: `TransportError.Code.authenticationFailed` if the refresh failed, or if the refresh
    ///   itself calls this; `TransportError.Code.deadlineExceeded`, or
    ///   `TransportError.Code.cancelled`.
    public func token(
        replacing refused: AccessToken? = nil,
        deadline: ContinuousClock.Instant? = nil
    ) async throws(TransportError) -> AccessToken {
        let now = ResilienceClock.instant(at: clock.now)
        let (step, refreshed) = state.withLock { state in
            let step = state.tokens.step(refused: refused, at: now)
            if case .start = step { state.refreshed = Refreshed() }
            return (step, state.refreshed)
        }
        switch step {
        case .use(let token): return token
        case .start(let number): start(number, refreshed)
        case .wait:
            // It would wait for itself.
            guard !isRefreshing else { throw .neededByRefresh }
        }
        let time = deadline.map(ResilienceClock.time) ?? .distantFuture
        guard let result = await clock.limit(until: time, { await refreshed.value() }) else {
            throw Task.isCancelled ? .cancelledRefresh : .lateRefresh
        }
        return try result.get()
    }

    /// Marks a token as refused: the next request refreshes it.
    public func refuse(_ token: AccessToken) {
        state.withLock { $0.tokens.forget(token) }
    }

    private func start(_ number: TokenState.Refresh, _ refreshed: Refreshed) {
        let replaced = state.withLock { $0.tokens.current }
        Task {
            let result: Result<AccessToken, TransportError>
            do {
                result = .success(
                    try await Self.$refreshing.withValue(Self.refreshing + [self]) {
                        try await refresh(replaced)
                    }
                )
            } catch {
                result = .failure(.failedRefresh(error))
            }
            _ = state.withLock { $0.tokens.ended(number, try? result.get()) }
            refreshed.resolve(result)
        }
    }
}

extension TransportError {
    fileprivate static let cancelledRefresh = TransportError(
        .cancelled,
        phase: .queued,
        message: "the task was cancelled while the access token was refreshed"
    )

    fileprivate static let lateRefresh = TransportError(
        .deadlineExceeded,
        phase: .queued,
        message: "the access token wasn't refreshed before the request's deadline. Set a later "
            + "deadline, or refresh tokens before they expire.",
        retry: .always
    )

    fileprivate static let neededByRefresh = TransportError(
        .authenticationFailed,
        phase: .queued,
        message: "the refresh of the access token needs this token itself. Send its requests "
            + "without one."
    )

    fileprivate static func failedRefresh(_ error: any Error) -> TransportError {
        TransportError(
            .authenticationFailed,
            phase: .queued,
            message: "the access token couldn't be refreshed, so the request wasn't sent with one: "
                + "\(error)",
            underlying: error
        )
    }
}
