internal import Foundation

/// The way of one request through the cache: events in, actions out. No clock, no lock, no store and
/// no network is in it.
///
/// 1. ``looksUp`` says whether the cache is asked what it has; ``found(_:at:)`` takes the answer,
///    `nil` for none, and says what to do: answer with it, send the request, or fail.
/// 2. The request is sent with the fields of ``Opening/load(_:)`` put over its own.
///    ``received(_:requestTime:responseTime:)`` takes the head of the response, or
///    ``failed(at:)`` tells that none comes. Each says whether the program gets that, or an answer
///    from the cache. A `304` that the program didn't ask for never comes through to it.
/// 3. Where a body is kept, ``finished(body:)`` makes of it what `willCacheResponse` is asked about;
///    what comes out of that, `recorded(like:)` what went in, is stored. A body that broke off isn't
///    finished.
///
/// Every request has its own, each one that a redirect leads to as well.
struct CacheTransaction: Sendable {
    /// What is done before anything is sent.
    enum Opening: Sendable {
        case answer(CacheAnswer)
        /// Send the request, with these fields over its own.
        case load([HeaderLine])
        /// Nothing is stored, and nothing may be sent.
        case unavailable
    }

    /// What is done with the head of a response.
    enum HeadAction: Sendable {
        /// The program gets the response.
        case deliver(CacheEffect)
        /// The program gets this in its place. The body of the response, if it has one, is passed
        /// over.
        case answer(CacheAnswer, CacheEffect)
        /// The response is of no use: the request is sent again as it was.
        case reload
    }

    /// What is done where no response comes.
    enum FailureAction: Sendable {
        case fail
        case answer(CacheAnswer)
    }

    enum State: Sendable {
        case opening
        /// What was found, if anything, and whether the origin was asked about it.
        case loading(StoredResponse?, isConditional: Bool)
        case keeping(CachedURLResponse)
        case ended
    }

    let request: CacheableRequest
    let policy: NSURLRequest.CachePolicy
    /// Whether somebody renews what is served while it is renewed.
    let servesWhileRevalidating: Bool
    /// The size of a body, in bytes, above which it isn't kept.
    let largestBody: Int
    var state = State.opening

    /// - Parameters:
    ///   - request: With all fields that it is sent with but those that the engine adds.
    ///   - policy: The request's, or the session's where the request has the default.
    ///   - servesWhileRevalidating: Whether ``CacheAnswer/isToBeRenewed`` is heeded.
    ///   - largestBody: What the cache takes, in bytes.
    init(
        _ request: URLRequest,
        policy: NSURLRequest.CachePolicy,
        servesWhileRevalidating: Bool = false,
        largestBody: Int = .max
    ) {
        self.request = CacheableRequest(request)
        self.policy = policy
        self.servesWhileRevalidating = servesWhileRevalidating
        self.largestBody = largestBody
    }

    /// Whether what is stored makes a difference. If not, `nil` is what was found.
    var looksUp: Bool {
        switch policy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: false
        default: request.mayBeAnswered
        }
    }

    /// Takes what the cache has for the request.
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

    /// By the rules of the protocol (RFC 9111, 4).
    private func protocolOpening(for stored: StoredResponse?, at now: Date) -> Opening {
        guard let stored else { return sent(for: nil) }
        if request.accepts(stored, at: now) { return .answer(answer(stored.cached, at: now)) }
        let isRenewed = servesWhileRevalidating && request.setsNoLimits
        if isRenewed, stored.mayBeServedWhileRevalidating(at: now) {
            return .answer(answer(stored.cached, at: now, isToBeRenewed: true))
        }
        return sent(for: stored)
    }

    /// A `HEAD` isn't sent under conditions: its answer tells whether what is stored still holds.
    private func sent(for stored: StoredResponse?, with fields: [HeaderLine] = []) -> Opening {
        if request.directives.contains("only-if-cached") {
            return gatewayTimeout.map { Opening.answer(CacheAnswer($0)) } ?? .unavailable
        }
        guard let stored, request.method == "GET" else { return .load(fields) }
        return .load(fields + stored.conditions)
    }

    /// A directive for the caches on the way, unless the program has directives of its own.
    private func asking(for directive: String, and other: HeaderLine? = nil) -> [HeaderLine] {
        guard request.directives.isEmpty else { return [] }
        return [HeaderLine(name: "Cache-Control", value: directive)] + (other.map { [$0] } ?? [])
    }

    /// What `only-if-cached` gets where nothing fits (RFC 9111, 5.2.1.7).
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
