internal import Foundation

/// What the origin's response does, or that none comes.
extension CacheTransaction {
    /// Whether nothing comes of a response whose fields say nothing about storing. It needn't be taken
    /// then.
    func ignores(isCacheEmpty: @autoclosure () -> Bool) -> Bool {
        guard case .loading(nil, _) = state, policy != .returnCacheDataElseLoad else {
            return false
        }
        return looksUp || isCacheEmpty()
    }

    /// Takes the head of the origin's response, no interim one. The times are those at which the
    /// request was sent and the head came.
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
        if isOfUse(response), CacheRules.mayStore(response, for: request),
            response.expectedContentLength <= Int64(largestBody),
            let kept = kept(response, requestTime, responseTime)
        {
            state = .keeping(kept)
            return .deliver(.keepBody)
        }
        return .deliver(removal(by: response, of: stored))
    }

    /// Takes that no response comes, for a reason that has to do with the network: it can't be
    /// reached, or is silent.
    mutating func failed(at now: Date) -> FailureAction {
        guard case .loading(let stored, _) = state else { return .fail }
        state = .ended
        guard let stored, let answer = standIn(for: stored, at: now) else { return .fail }
        return .answer(answer)
    }

    /// Takes the whole body, and returns what is to be stored, if nobody objects; `nil` where it isn't
    /// kept.
    mutating func finished(body: Data) -> CachedURLResponse? {
        guard case .keeping(let head) = state else { return nil }
        state = .ended
        guard body.count <= largestBody else { return nil }
        return head.replacing(data: body, record: head.record)
    }

    /// What a `304` makes of what was found.
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

    /// What the response to a `HEAD` makes of what a `GET` would find (RFC 9111, 4.3.5).
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

    /// What isn't fresh any more, in the place of an error (RFC 5861, 4).
    private func standIn(for stored: StoredResponse, at now: Date) -> CacheAnswer? {
        guard policy == .useProtocolCachePolicy, request.setsNoLimits,
            stored.mayBeServedOnError(at: now, request: request.directives)
        else { return nil }
        return answer(stored.cached, at: now)
    }

    /// Whether the response could ever answer again: by the protocol if it has a lifetime, or something
    /// that the origin can be asked about; else to programs alone that take whatever there is.
    private func isOfUse(_ response: HTTPURLResponse) -> Bool {
        if policy == .returnCacheDataElseLoad { return true }
        let names = ["Cache-Control", "Expires", "ETag", "Last-Modified"]
        return response.fields.lines.contains { line in
            names.contains { $0.equalsIgnoringASCIICase(line.name) }
        }
    }

    /// The head as it is stored, without a name and a password that stood in the URL; `nil` if it would
    /// answer no request.
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

    /// What a response that isn't stored removes: what it takes the place of, and what it says has
    /// changed. An error of the origin takes the place of nothing.
    private func removal(
        by response: HTTPURLResponse,
        of stored: StoredResponse?
    ) -> CacheEffect {
        // Where nobody looked, something may be there.
        let isReplacing = stored != nil || (!looksUp && request.mayBeAnswered)
        if isReplacing, response.statusCode < 500 { return removal }
        let urls = CacheRules.invalidated(by: response, to: request)
        return urls.isEmpty ? CacheEffect.none : .remove(urls)
    }

    private var removal: CacheEffect {
        request.url.map { CacheEffect.remove([$0]) } ?? CacheEffect.none
    }
}
