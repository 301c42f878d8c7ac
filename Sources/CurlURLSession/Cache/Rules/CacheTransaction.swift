internal import Foundation
internal import HTTPSemantics

/// The caching state machine of one request: events in, actions out.
///
/// It contains no clock, lock, store or network access.
///
/// 1. ``looksUp`` says whether to look for a stored response. ``found(_:at:)`` takes the result,
///    `nil` for none. It returns what to do: answer with the stored response, send the request, or
///    fail.
/// 2. The request is sent with the fields of ``Opening/load(_:)``, which replace its own.
///    ``received(_:requestTime:responseTime:)`` takes the head of the response, or ``failed(at:)``
///    reports that none arrives. Both return whether the program gets the response or an answer
///    from the cache. The program never gets a `304` unless it set a condition itself.
/// 3. If the body is collected, ``finished(body:)`` returns the response to propose to
///    `willCacheResponse`. The delegate's result is stored, with the record of the proposal
///    (`recorded(like:)`). An incomplete body isn't finished. ``needsConsent`` says whether the
///    response is stored without a delegate.
///
/// Each request has its own transaction, also each request that follows a redirect.
struct CacheTransaction: Sendable {
    /// What to do before anything is sent.
    enum Opening: Sendable {
        case answer(CacheAnswer)
        /// Send the request, with these fields in place of its own.
        case load([HeaderLine])
        /// Nothing is stored, and the policy forbids sending.
        case unavailable
    }

    /// What to do with the head of a response.
    enum HeadAction: Sendable {
        /// Deliver the response to the program.
        case deliver(CacheEffect)
        /// Deliver this answer instead. The response's body, if it has one, is discarded.
        case answer(CacheAnswer, CacheEffect)
        /// The response is unusable: send the original request again.
        case reload
    }

    /// What to do if no response arrives.
    enum FailureAction: Sendable {
        case fail
        case answer(CacheAnswer)
    }

    enum State: Sendable {
        case opening
        /// The stored response, if any, and whether the request asks the origin to confirm it.
        case loading(StoredResponse?, isConditional: Bool)
        case keeping(CachedURLResponse)
        case ended
    }

    let request: CacheableRequest
    let policy: NSURLRequest.CachePolicy
    /// Whether a stale response may be served while a background request renews it.
    let servesWhileRevalidating: Bool
    /// The largest body to store, in bytes.
    let largestBody: Int
    /// Whether a delegate is asked about each `200` to a `GET` that may be stored.
    let offersResponses: Bool
    /// Whether the response could answer no later request, and is only stored if the delegate says
    /// so.
    var needsConsent = false
    var state = State.opening

    /// - Parameters:
    ///   - request: The request with all fields that are sent, except those that libcurl adds.
    ///   - policy: The request's policy, or the session's if the request has the default.
    ///   - servesWhileRevalidating: Whether the caller obeys ``CacheAnswer/isToBeRenewed``.
    ///   - largestBody: The largest body that the cache stores, in bytes.
    ///   - offersResponses: Whether a delegate is asked about each `200` to a `GET` that may be
    ///     stored.
    init(
        _ request: URLRequest,
        policy: NSURLRequest.CachePolicy,
        servesWhileRevalidating: Bool = false,
        largestBody: Int = .max,
        offersResponses: Bool = false
    ) {
        self.request = CacheableRequest(request)
        self.policy = policy
        self.servesWhileRevalidating = servesWhileRevalidating
        self.largestBody = largestBody
        self.offersResponses = offersResponses
    }

    /// Whether a stored response matters. If not, the lookup result is taken as `nil`.
    var looksUp: Bool {
        switch policy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: false
        default: request.mayBeAnswered
        }
    }

    /// Handles the result of the cache lookup.
    mutating func found(_ cached: CachedURLResponse?, at now: Date) -> Opening {
        guard case .opening = state else { return .unavailable }
        let cached = looksUp ? cached : nil
        let opening = opening(for: cached, at: now)
        if case .load(let fields) = opening {
            let isConditional = fields.contains { $0.name.hasPrefix("If-") }
            state = .loading(cached.flatMap(StoredResponse.init), isConditional: isConditional)
        } else {
            state = .ended
        }
        return opening
    }

    private func opening(for cached: CachedURLResponse?, at now: Date) -> Opening {
        switch policy {
        case .returnCacheDataDontLoad, .returnCacheDataElseLoad:
            if let cached { return .answer(answer(cached, at: now)) }
            return policy == .returnCacheDataDontLoad ? .unavailable : sent(for: nil)
        case .reloadIgnoringLocalCacheData:
            return .load([])
        case .reloadIgnoringLocalAndRemoteCacheData:
            return .load(
                asking(for: "no-cache", and: HeaderLine(name: "Pragma", value: "no-cache"))
            )
        case .reloadRevalidatingCacheData:
            guard let stored = cached.flatMap(StoredResponse.init) else { return sent(for: nil) }
            let isImmutable = stored.directives.contains("immutable")
            if isImmutable, request.setsNoLimits, request.accepts(stored, at: now) {
                return .answer(answer(stored.cached, at: now))
            }
            return sent(for: stored, with: asking(for: "max-age=0"))
        case .useProtocolCachePolicy:
            return protocolOpening(for: cached.flatMap(StoredResponse.init), at: now)
        }
    }

    /// Applies the rules of the protocol (RFC 9111, 4).
    private func protocolOpening(for stored: StoredResponse?, at now: Date) -> Opening {
        guard let stored else { return sent(for: nil) }
        if request.accepts(stored, at: now) { return .answer(answer(stored.cached, at: now)) }
        let isRenewed = servesWhileRevalidating && request.setsNoLimits
        if isRenewed, stored.mayBeServedWhileRevalidating(at: now) {
            return .answer(answer(stored.cached, at: now, isToBeRenewed: true))
        }
        return sent(for: stored)
    }

    /// Sends the request. A `HEAD` has no conditions: its response shows whether the stored one is
    /// current.
    private func sent(for stored: StoredResponse?, with fields: [HeaderLine] = []) -> Opening {
        if request.directives.contains("only-if-cached") {
            return gatewayTimeout.map { Opening.answer(CacheAnswer($0)) } ?? .unavailable
        }
        guard let stored, request.method == "GET" else { return .load(fields) }
        return .load(fields + stored.conditions)
    }

    /// Fields with a directive for caches on the path. There are none if the program set its own
    /// directives.
    private func asking(for directive: String, and other: HeaderLine? = nil) -> [HeaderLine] {
        guard request.directives.isEmpty else { return [] }
        return [HeaderLine(name: "Cache-Control", value: directive)] + (other.map { [$0] } ?? [])
    }

    /// The response to `only-if-cached` if no stored response fits (RFC 9111, 5.2.1.7).
    private var gatewayTimeout: CachedURLResponse? {
        request.url.map { url in
            CachedURLResponse(
                response: HTTPURLResponse(
                    url: url,
                    statusCode: 504,
                    httpVersion: nil,
                    fields: ResponseHeaderFields()
                ),
                data: Data(),
                storagePolicy: .notAllowed,
                record: nil
            )
        }
    }

    func answer(
        _ cached: CachedURLResponse,
        at now: Date,
        isConfirmed: Bool = false,
        isToBeRenewed: Bool = false
    ) -> CacheAnswer {
        guard let stored = StoredResponse(cached) else { return CacheAnswer(cached) }
        return CacheAnswer(
            stored.answer(
                to: request.url,
                at: now,
                isConfirmed: isConfirmed,
                hasBody: request.method != "HEAD"
            ),
            isStale: !isConfirmed && !stored.isFresh(at: now),
            isToBeRenewed: isToBeRenewed
        )
    }
}

/// A response from the cache, as the program gets it.
struct CacheAnswer: Sendable {
    /// The response and its body. An `Age` field gives its age, unless the origin has just
    /// confirmed it.
    let cached: CachedURLResponse
    /// Whether the response is stale.
    let isStale: Bool
    /// Whether to send the request in the background, only to update the cache. The background
    /// request has the policy `reloadRevalidatingCacheData`.
    let isToBeRenewed: Bool

    init(_ cached: CachedURLResponse, isStale: Bool = false, isToBeRenewed: Bool = false) {
        self.cached = cached
        self.isStale = isStale
        self.isToBeRenewed = isToBeRenewed
    }
}
