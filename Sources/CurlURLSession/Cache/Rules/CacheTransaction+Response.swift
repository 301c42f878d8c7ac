internal import Foundation
internal import HTTPSemantics

/// Handles the origin's response, or its absence.
extension CacheTransaction {
    /// Whether a response without caching fields has no effect on the cache.
    ///
    /// Such a response needn't be passed to ``received(_:requestTime:responseTime:)``.
    func ignores(_ statusCode: Int, isCacheEmpty: @autoclosure () -> Bool) -> Bool {
        guard case .loading(nil, _) = state, policy != .returnCacheDataElseLoad,
            !offers(statusCode)
        else { return false }
        return looksUp || isCacheEmpty()
    }

    /// Handles the head of the origin's final response.
    ///
    /// The times are when the request was sent and when the head arrived.
    mutating func received(
        _ response: HTTPURLResponse,
        requestTime: Date,
        responseTime: Date
    ) -> HeadAction {
        guard case .loading(let stored, let isConditional) = state else { return .deliver(.none) }
        state = .ended
        if response.statusCode == 304, isConditional, let stored {
            return confirmed(stored, by: response, requestTime, responseTime)
        }
        if let stored, [500, 502, 503, 504].contains(response.statusCode),
            let answer = standIn(for: stored, at: responseTime)
        {
            return .answer(answer, .none)
        }
        guard request.method != "HEAD" else {
            return .deliver(headEffect(of: response, on: stored, requestTime, responseTime))
        }
        let isOfUse = isOfUse(response)
        if isOfUse || offers(response.statusCode), CacheRules.mayStore(response, for: request),
            response.expectedContentLength <= Int64(largestBody),
            let kept = kept(response, requestTime, responseTime)
        {
            needsConsent = !isOfUse
            state = .keeping(kept)
            return .deliver(
                isOfUse ? .keepBody : .offerBody(removing: removed(by: response, of: stored))
            )
        }
        return .deliver(removal(by: response, of: stored))
    }

    /// Handles a network failure: the origin can't be reached or doesn't respond.
    mutating func failed(at now: Date) -> FailureAction {
        guard case .loading(let stored, _) = state else { return .fail }
        state = .ended
        guard let stored, let answer = standIn(for: stored, at: now) else { return .fail }
        return .answer(answer)
    }

    /// Handles the complete body. Returns the response to store unless the delegate objects; `nil`
    /// for none.
    mutating func finished(body: Data) -> CachedURLResponse? {
        guard case .keeping(let head) = state else { return nil }
        state = .ended
        guard body.count <= largestBody else { return nil }
        return head.replacing(data: body, record: head.record)
    }

    /// Handles a `304` to a conditional request for the stored response.
    private mutating func confirmed(
        _ stored: StoredResponse,
        by response: HTTPURLResponse,
        _ requestTime: Date,
        _ responseTime: Date
    ) -> HeadAction {
        guard stored.isConfirmed(by: response) else {
            state = .loading(nil, isConditional: false)
            return .reload
        }
        let updated = stored.updated(
            by: response,
            for: request.request,
            requestTime: requestTime,
            responseTime: responseTime
        )
        let answered = answer((updated ?? stored).cached, at: responseTime, isConfirmed: true)
        guard let updated, CacheRules.mayStore(updated.response) else {
            return .answer(answered, removal)
        }
        return .answer(answered, .store(updated.cached))
    }

    /// The effect of a `HEAD` response on the stored `GET` response (RFC 9111, 4.3.5).
    private func headEffect(
        of response: HTTPURLResponse,
        on stored: StoredResponse?,
        _ requestTime: Date,
        _ responseTime: Date
    ) -> CacheEffect {
        guard let stored, response.statusCode < 500 else { return .none }
        guard stored.isConfirmed(byHead: response),
            let updated = stored.updated(
                by: response,
                for: request.request,
                requestTime: requestTime,
                responseTime: responseTime
            ), CacheRules.mayStore(updated.response)
        else { return removal }
        return .store(updated.cached)
    }

    /// A stale response to use instead of an error (RFC 5861, 4).
    private func standIn(for stored: StoredResponse, at now: Date) -> CacheAnswer? {
        guard policy == .useProtocolCachePolicy, request.setsNoLimits,
            stored.mayBeServedOnError(at: now, request: request.directives)
        else { return nil }
        return answer(stored.cached, at: now)
    }

    /// Whether the delegate is asked about a response although it could answer no later request.
    ///
    /// Programs add a lifetime there, or store the response to read it from the cache themselves.
    private func offers(_ statusCode: Int) -> Bool {
        offersResponses && statusCode == 200 && request.method == "GET"
    }

    /// Whether the response could answer a later request.
    ///
    /// By the protocol it can if it has a lifetime or a validator. With the policy
    /// `returnCacheDataElseLoad`, any stored response can.
    private func isOfUse(_ response: HTTPURLResponse) -> Bool {
        if policy == .returnCacheDataElseLoad { return true }
        let names = ["Cache-Control", "Expires", "ETag", "Last-Modified"]
        return response.fields.lines.contains { line in
            names.contains { $0.equalsIgnoringASCIICase(line.name) }
        }
    }

    /// The head to store; `nil` if it would answer no request. A user name and password in its URL
    /// are removed.
    private func kept(
        _ response: HTTPURLResponse,
        _ requestTime: Date,
        _ responseTime: Date
    ) -> CachedURLResponse? {
        guard let url = response.url?.withoutUserInfo,
            let variance = RequestVariance(of: request.request, answeredBy: response.fields)
        else { return nil }
        let stored = HTTPURLResponse(
            url: url,
            statusCode: response.statusCode,
            httpVersion: response.httpVersion,
            fields: .init(CacheRules.storable(response.fields, receivedAt: responseTime))
        )
        let record = CacheRecord(
            requestTime: requestTime,
            responseTime: responseTime,
            variance: variance
        )
        return CachedURLResponse(response: stored, data: Data(), record: record)
    }

    /// The removals caused by a response that isn't stored.
    ///
    /// The response removes the stored one that it replaces, and those that it invalidates. A
    /// server error (5xx) replaces nothing.
    private func removal(
        by response: HTTPURLResponse,
        of stored: StoredResponse?
    ) -> CacheEffect {
        let urls = removed(by: response, of: stored)
        return urls.isEmpty ? CacheEffect.none : .remove(urls)
    }

    private func removed(by response: HTTPURLResponse, of stored: StoredResponse?) -> [URL] {
        // Without a lookup, a stored response may exist.
        let isReplacing = stored != nil || (!looksUp && request.mayBeAnswered)
        if isReplacing, response.statusCode < 500 { return request.url.map { [$0] } ?? [] }
        return CacheRules.invalidated(by: response, to: request)
    }

    private var removal: CacheEffect {
        request.url.map { CacheEffect.remove([$0]) } ?? CacheEffect.none
    }
}

/// The effect of an origin's response on the cache.
enum CacheEffect: Sendable {
    /// No effect.
    case none
    /// The body is collected, then stored as `CacheTransaction.finished(body:)` returns it.
    case keepBody
    /// The body is collected, then stored as the delegate says. The stored responses for these URLs
    /// are removed before.
    case offerBody(removing: [URL])
    /// This response replaces the stored one. The delegate isn't asked: the response was stored
    /// before, and only its fields are newer.
    case store(CachedURLResponse)
    /// The stored responses for these URLs are removed.
    case remove([URL])

    /// Whether the body is collected.
    var collectsBody: Bool {
        switch self {
        case .keepBody, .offerBody: true
        case .none, .store, .remove: false
        }
    }
}
