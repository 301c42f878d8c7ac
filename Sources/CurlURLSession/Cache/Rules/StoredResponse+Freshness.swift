internal import Foundation

/// How old a response is, and how old it may become (RFC 9111, 4.2). All in seconds.
extension StoredResponse {
    /// How old the response is: the time since it came or was confirmed, and what it was old then by
    /// its `Age` and by its `Date`, whichever is more (4.2.3).
    ///
    /// Where the clock was set back since, no time has passed.
    func age(at now: Date) -> TimeInterval {
        let apparent = max(0, record.responseTime.timeIntervalSince(date))
        let delay = max(0, record.responseTime.timeIntervalSince(record.requestTime))
        let initial = max(apparent, statedAge + delay)
        return initial + max(0, now.timeIntervalSince(record.responseTime))
    }

    /// The first value of `Age`. What isn't a number is passed over (5.1).
    private var statedAge: TimeInterval {
        let value = fields.values("Age").first?.split(separator: ",").first.map(String.init)
        return Double(value?.trimmingFieldWhitespace.deltaSeconds ?? 0)
    }

    /// For how long the response is fresh: what `max-age` says, else `Expires`, else what can be
    /// guessed (4.2.1).
    var lifetime: TimeInterval {
        if let seconds = directives.seconds("max-age") { return Double(seconds) }
        let expiries = fields.values("Expires")
        guard expiries.isEmpty else {
            // What isn't a date has passed (5.3).
            let dates = expiries.map { parsed($0) ?? .distantPast }
            return max(0, dates.min()?.timeIntervalSince(date) ?? 0)
        }
        return heuristicLifetime
    }

    /// A tenth of the time for which the response hadn't changed when it came, but at most a day
    /// (4.2.2); 0 for statuses that a cache mustn't guess for.
    private var heuristicLifetime: TimeInterval {
        let day: TimeInterval = 86_400
        let allowed =
            CacheRules.isHeuristicallyCacheable(response.statusCode)
            || directives.contains("public")
        guard allowed, let lastModified else { return 0 }
        return min(day, max(0, date.timeIntervalSince(lastModified) / 10))
    }

    /// How long ago the response ceased to be fresh; negative while it is fresh.
    func staleness(at now: Date) -> TimeInterval {
        age(at: now) - lifetime
    }

    func isFresh(at now: Date) -> Bool {
        staleness(at: now) < 0
    }

    /// Whether the origin has to confirm the response before each use.
    var needsConfirmation: Bool { directives.appliesToAll("no-cache") }

    /// Whether the response may be used when it isn't fresh any more, if there is a reason (4.2.4).
    var mayBeServedStale: Bool {
        !needsConfirmation && !directives.contains("must-revalidate")
    }

    /// Whether the response may be used until another one has come in the background
    /// (RFC 5861, 3).
    func mayBeServedWhileRevalidating(at now: Date) -> Bool {
        guard mayBeServedStale, let window = directives.seconds("stale-while-revalidate") else {
            return false
        }
        return staleness(at: now) <= Double(window)
    }

    /// Whether the response may stand in for an error (RFC 5861, 4), as it or the request says.
    func mayBeServedOnError(at now: Date, request: CacheDirectives) -> Bool {
        let windows = [directives, request].compactMap { $0.seconds("stale-if-error") }
        guard mayBeServedStale, let window = windows.max() else { return false }
        return staleness(at: now) <= Double(window)
    }
}
