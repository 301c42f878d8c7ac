internal import Foundation
internal import HTTPSemantics

/// The age and freshness of a response, in seconds (RFC 9111, 4.2).
extension StoredResponse {
    /// The age of the response (4.2.3).
    ///
    /// It is the time since the response arrived or was confirmed, plus its age at that moment. The
    /// latter is derived from `Age` and from `Date`; the larger value counts. If the clock was set
    /// back since, no time has passed.
    func age(at now: Date) -> TimeInterval {
        let apparent = max(0, record.responseTime.timeIntervalSince(date))
        let delay = max(0, record.responseTime.timeIntervalSince(record.requestTime))
        let initial = max(apparent, statedAge + delay)
        return initial + max(0, now.timeIntervalSince(record.responseTime))
    }

    /// The first value of `Age`; 0 if it isn't a number (5.1).
    private var statedAge: TimeInterval {
        let value = fields.values("Age").first?.split(separator: ",").first.map(String.init)
        return Double(value?.trimmingFieldWhitespace.deltaSeconds ?? 0)
    }

    /// The freshness lifetime: `max-age`, otherwise `Expires`, otherwise a heuristic (4.2.1).
    var lifetime: TimeInterval {
        if let seconds = directives.seconds("max-age") { return Double(seconds) }
        let expiries = fields.values("Expires")
        guard expiries.isEmpty else {
            // An invalid date is in the past (5.3).
            let dates = expiries.map { parsed($0) ?? .distantPast }
            return max(0, dates.min()?.timeIntervalSince(date) ?? 0)
        }
        return heuristicLifetime
    }

    /// A tenth of the time between `Last-Modified` and `Date`, at most a day (4.2.2).
    ///
    /// It is 0 for a status that allows no heuristic, unless the response is marked `public`.
    private var heuristicLifetime: TimeInterval {
        let day: TimeInterval = 86_400
        let allowed =
            CacheRules.isHeuristicallyCacheable(response.statusCode)
            || directives.contains("public")
        guard allowed, let lastModified else { return 0 }
        return min(day, max(0, date.timeIntervalSince(lastModified) / 10))
    }

    /// The time since the response became stale; negative while it is fresh.
    func staleness(at now: Date) -> TimeInterval {
        age(at: now) - lifetime
    }

    func isFresh(at now: Date) -> Bool {
        staleness(at: now) < 0
    }

    /// Whether the origin must confirm the response before each use.
    var needsConfirmation: Bool { directives.appliesToAll("no-cache") }

    /// Whether the response may be used when stale, given a reason (4.2.4).
    var mayBeServedStale: Bool {
        !needsConfirmation && !directives.contains("must-revalidate")
    }

    /// Whether the response may be used while it is renewed in the background (RFC 5861, 3).
    func mayBeServedWhileRevalidating(at now: Date) -> Bool {
        guard mayBeServedStale, let window = directives.seconds("stale-while-revalidate") else {
            return false
        }
        return staleness(at: now) <= Double(window)
    }

    /// Whether the response may replace an error (RFC 5861, 4). Its own and the request's
    /// directives count.
    func mayBeServedOnError(at now: Date, request: CacheDirectives) -> Bool {
        let windows = [directives, request].compactMap { $0.seconds("stale-if-error") }
        guard mayBeServedStale, let window = windows.max() else { return false }
        return staleness(at: now) <= Double(window)
    }
}
