internal import Posix
internal import Testing

@testable internal import CurlTransport

@Suite struct LookupLifetimeTests {
    private static let start = MonotonicTime(nanoseconds: 5_000_000_000)

    /// Counts `rate` lookups a second, for some seconds from `start`. Returns the end.
    private func look(
        up rate: Int,
        for seconds: Int,
        from start: MonotonicTime = Self.start,
        _ lifetime: inout LookupLifetime
    ) -> MonotonicTime {
        for number in 0...rate * seconds {
            lifetime.lookupStarted(
                at: start.advanced(byNanoseconds: Int64(number) * 1_000_000_000 / Int64(rate))
            )
        }
        return start.advanced(by: .seconds(seconds))
    }

    @Test("With few lookups, the lifetime is the configured one")
    func fewLookupsKeepLifetime() {
        var lifetime = LookupLifetime(.seconds(60))
        #expect(lifetime.seconds == 60)
        _ = look(up: 60, for: 30, &lifetime)
        #expect(lifetime.seconds == 60)
        #expect(lifetime.nanoseconds == 60_000_000_000)
    }

    @Test("Addresses in the options have the configured lifetime, and at least the shortest one")
    func overridesKeepLifetime() {
        var lifetime = LookupLifetime(.seconds(60))
        _ = look(up: 1000, for: 5, &lifetime)
        #expect(lifetime.seconds < 60)
        #expect(lifetime.secondsOfOverrides == 60)
        #expect(LookupLifetime(.zero).secondsOfOverrides == LookupLifetime.shortest)
    }

    @Test("With many lookups, the lifetime is so short that the capacity isn't exceeded")
    func manyLookupsShortenLifetime() {
        for rate in [100, 400, 1000] {
            var lifetime = LookupLifetime(.seconds(60))
            _ = look(up: rate, for: 5, &lifetime)
            let kept = lifetime.seconds * rate
            #expect(kept <= LookupLifetime.capacity, "\(rate) a second")
            #expect(kept > LookupLifetime.capacity / 2, "\(rate) a second")
            #expect(lifetime.nanoseconds == Int64(lifetime.seconds) * 1_000_000_000)
        }
    }

    @Test("The lifetime never falls below two seconds, unless a shorter one is configured")
    func lifetimeHasLowerBound() {
        var lifetime = LookupLifetime(.seconds(60))
        _ = look(up: 20_000, for: 3, &lifetime)
        #expect(lifetime.seconds == LookupLifetime.shortest)
        var short = LookupLifetime(.milliseconds(500))
        _ = look(up: 20_000, for: 3, &short)
        #expect(short.seconds == 1)
        #expect(short.nanoseconds == 500_000_000)
        var none = LookupLifetime(.zero)
        _ = look(up: 20_000, for: 3, &none)
        #expect(none.seconds == 0)
        #expect(none.nanoseconds == 0)
    }

    @Test("The lifetime rises again when there are fewer lookups")
    func lifetimeRecovers() {
        var lifetime = LookupLifetime(.seconds(60))
        let end = look(up: 2000, for: 5, &lifetime)
        #expect(lifetime.seconds == 2)
        _ = look(up: 1, for: 20, from: end, &lifetime)
        #expect(lifetime.seconds == 60)
    }

    @Test("A pause counts as time with few lookups")
    func pauseLowersRate() {
        var lifetime = LookupLifetime(.seconds(60))
        let end = look(up: 2000, for: 5, &lifetime)
        lifetime.lookupStarted(at: end.advanced(by: .seconds(3600)))
        #expect(lifetime.seconds == 60)
    }

    @Test("A name is looked up again when the lifetime has become shorter than its age")
    func shorterLifetimeAppliesToKnownNames() {
        let known = OriginKey(origin: "http://known:80", route: "", hasName: true)
        var scheduler = Scheduler(maximumConnectionsPerHost: nil, lookupLifetime: .seconds(60))
        var now = Self.start
        #expect(Self.performsLookup(known, &scheduler, at: now))
        now = now.advanced(by: .seconds(4))
        #expect(!Self.performsLookup(known, &scheduler, at: now))
        for number in 0...6000 {
            let key = OriginKey(origin: "http://host-\(number):80", route: "", hasName: true)
            #expect(Self.performsLookup(key, &scheduler, at: now))
            now = now.advanced(by: .microseconds(500))
        }
        #expect(scheduler.lookupLifetime.seconds == 2)
        #expect(Self.performsLookup(known, &scheduler, at: now))
    }

    /// Runs a transfer to `key` at once. Returns whether it needed a lookup.
    private static func performsLookup(
        _ key: OriginKey,
        _ scheduler: inout Scheduler,
        at now: MonotonicTime
    ) -> Bool {
        let origin = scheduler.enqueue(.next(), for: key)
        let admission = scheduler.next(
            now: now,
            takePlace: { .granted },
            takeLookup: { .granted },
            releasePlace: {}
        )
        guard let admission, admission.origin == origin else { return false }
        if admission.performsLookup {
            scheduler.lookupEnded(of: origin, succeeded: true, now: now)
        }
        scheduler.ended(origin)
        return admission.performsLookup
    }
}
