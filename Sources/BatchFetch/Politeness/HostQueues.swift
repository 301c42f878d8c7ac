import Curl

/// Decides what is fetched next: items wait in a queue for each host, and hosts take turns.
///
/// A host never has more than its limit in flight, and its starts keep their distance; one that is
/// at its limit, or that asked for a pause, takes no turn and holds up nobody. Every operation takes
/// constant time on average, and only hosts that have something waiting, in flight or a pause to
/// keep are remembered; of others, for some thousands, how they have been. Pure: the time comes as an argument.
struct HostQueues<Item: Sendable>: Sendable {
    private struct Host: Sendable {
        var key = ""
        var waiting = RingQueue<Item>()
        var inFlight = 0
        var heldUntil: MonotonicTime?
        /// Whether it stands in `turns`.
        var isInTurn = false
        /// Nothing is started before somebody allows it again.
        var isBlocked = false
        var conduct: HostConduct
    }

    /// What a host's breaker did, until when, and why.
    typealias BreakerRecord = (
        host: String, kind: BreakerChange, end: MonotonicTime, reason: BatchFailure?
    )

    private let policies: HostPolicies
    private let isAdaptive: Bool
    private let breaker: BreakerPolicy?
    /// How many items wait, of all hosts.
    private(set) var waitingCount = 0
    private var hosts: [Host] = []
    private var unused: [Int] = []
    private var slots: [String: Int] = [:]
    private var turns = RingQueue<Int>()
    private var holds = TimedHeap<Int>()
    /// Of hosts that have nothing to do at the moment.
    private var memory = ConductMemory()
    /// What breakers did since somebody asked, if anybody does.
    private(set) var breakerChanges: [BreakerRecord] = []
    var recordsBreakerChanges = false
    /// The hosts of which little waits any more, since somebody asked, if anybody does.
    private var demand: [String] = []
    var recordsDemand = false

    init(policies: HostPolicies, isAdaptive: Bool = false, breaker: BreakerPolicy? = nil) {
        self.policies = policies
        self.isAdaptive = isAdaptive
        self.breaker = breaker
    }

    init(limitPerHost: Int) {
        let usual = HostPolicy(concurrency: max(1, limitPerHost), interval: .zero)
        self.init(policies: HostPolicies(usual: usual))
    }

    /// How many hosts are remembered.
    var hostCount: Int { slots.count }

    /// When the next pause ends; `nil` if there is none.
    var nextHoldEnd: MonotonicTime? { holds.nextTime }

    /// Puts an item in its host's queue: at its end, or before the others if it `isFirst`, as an
    /// item is that waited already.
    mutating func add(_ item: Item, host key: String, isFirst: Bool = false) {
        let slot = slot(for: key)
        if isFirst {
            hosts[slot].waiting.prepend(item)
        } else {
            hosts[slot].waiting.append(item)
        }
        waitingCount += 1
        takeTurn(slot)
    }

    /// Removes and returns the next item that may be started; it counts as in flight from now on.
    mutating func next(at now: MonotonicTime) -> Item? {
        endHolds(at: now)
        while let slot = turns.popFirst() {
            hosts[slot].isInTurn = false
            guard mayStart(slot), let item = hosts[slot].waiting.popFirst() else { continue }
            hosts[slot].inFlight += 1
            waitingCount -= 1
            noteDemand(slot)
            if let next = hosts[slot].conduct.attemptStarted(at: now) { hold(slot, until: next) }
            takeTurn(slot)
            return item
        }
        return nil
    }

    /// Ends the pauses that are over, whether or not anything waits for that.
    mutating func endHolds(at now: MonotonicTime) {
        while let slot = holds.popDue(at: now) { endHold(slot, at: now) }
    }

    /// An item of this host, given out by ``next(at:)``, is in flight no longer. Returns what waits
    /// for a host that is given up by that.
    @discardableResult
    mutating func finished(
        host key: String,
        _ sign: HostSign = .neutral,
        _ failure: BatchFailure? = nil,
        at now: MonotonicTime = MonotonicTime(nanoseconds: .min)
    ) -> [Item] {
        guard let slot = slots[key] else { return [] }
        hosts[slot].inFlight = max(0, hosts[slot].inFlight - 1)
        var givenUp: [Item] = []
        let wasBroken = recordsBreakerChanges && hosts[slot].conduct.isBroken
        switch hosts[slot].conduct.attemptEnded(sign, failure, at: now) {
        case .none:
            if wasBroken, !hosts[slot].conduct.isBroken { record(.closed, of: slot, until: now) }
        case .hold(let end):
            record(.opened, of: slot, until: end)
            hold(slot, until: end)
        case .giveUp(let end):
            record(.gaveUp, of: slot, until: end)
            hold(slot, until: end)
            givenUp = removeWaiting(host: key)
        }
        takeTurn(slot)
        forgetIfIdle(slot)
        return givenUp
    }

    private mutating func record(
        _ change: BreakerChange,
        of slot: Int,
        until end: MonotonicTime
    ) {
        guard recordsBreakerChanges else { return }
        let (host, reason) = (hosts[slot].key, hosts[slot].conduct.lastFailure)
        breakerChanges.append((host, change, end, reason))
    }

    /// Removes and returns what breakers did.
    mutating func takeBreakerChanges() -> [BreakerRecord] {
        defer { breakerChanges = [] }
        return breakerChanges
    }

    /// Whether URLs of this host are not to be tried for now.
    func isGivenUp(host key: String, at now: MonotonicTime) -> Bool {
        conduct(of: key)?.isGivenUp(at: now) ?? false
    }

    /// Why it failed the last time, since it last did what it was asked for.
    func lastFailure(of key: String) -> BatchFailure? { conduct(of: key)?.lastFailure }

    private func conduct(of key: String) -> HostConduct? {
        slots[key].map { hosts[$0].conduct } ?? memory[key]
    }

    /// The starts of this host, for which something waits, are at least so far apart.
    mutating func require(interval: Duration, host key: String) {
        guard let slot = slots[key] else { return }
        hosts[slot].conduct.require(interval: interval)
    }

    /// Something of this host is started that didn't come from its queue.
    mutating func noteStart(host key: String, at now: MonotonicTime) {
        let slot = slot(for: key)
        if let next = hosts[slot].conduct.attemptStarted(at: now) { hold(slot, until: next) }
    }

    /// When the next start of this host may be; `nil` for at once.
    func nextStart(of key: String) -> MonotonicTime? { slots[key].flatMap { hosts[$0].heldUntil } }

    /// Starts nothing of this host before `time`; of two pauses the longer counts.
    mutating func hold(host key: String, until time: MonotonicTime) {
        hold(slot(for: key), until: time)
    }

    /// Starts nothing of this host until ``unblock(host:interval:)``.
    mutating func block(host key: String) {
        hosts[slot(for: key)].isBlocked = true
    }

    /// Ends what ``block(host:)`` began; from now on the host's starts are at least so far apart.
    mutating func unblock(host key: String, interval: Duration = .zero) {
        guard let slot = slots[key] else { return }
        hosts[slot].isBlocked = false
        hosts[slot].conduct.require(interval: interval)
        takeTurn(slot)
        forgetIfIdle(slot)
    }

    /// Removes and returns what waits for this host.
    mutating func removeWaiting(host key: String) -> [Item] {
        guard let slot = slots[key] else { return [] }
        var items: [Item] = []
        while let item = hosts[slot].waiting.popFirst() { items.append(item) }
        waitingCount -= items.count
        noteDemand(slot)
        return items
    }

    // MARK: What waits elsewhere

    /// Whether a host waits for its turn.
    var hasTurns: Bool { !turns.isEmpty }

    /// Whether there are hosts of which little waits any more.
    var hasDemand: Bool { !demand.isEmpty }

    /// Removes and returns those hosts. Each host of which ``room(for:)`` was zero comes at some time.
    mutating func takeDemand() -> [String] {
        defer { demand = [] }
        return demand
    }

    /// How many more of a host may wait here where most of it waits elsewhere: enough to start what
    /// it may twice over.
    func room(for key: String) -> Int {
        guard let slot = slots[key] else { return Self.quota(policies[key].concurrency) }
        return max(0, Self.quota(hosts[slot]) - hosts[slot].waiting.count)
    }

    /// Removes and returns those that wait longest behind others of their host, each host's in their
    /// order, so that the host has no more than its share here.
    mutating func removeExcess(where isMovable: (Item) -> Bool) -> [Item] {
        var items: [Item] = []
        for slot in hosts.indices {
            let quota = Self.quota(hosts[slot])
            var excess: [Item] = []
            while hosts[slot].waiting.count > quota, let last = hosts[slot].waiting.last,
                isMovable(last), let item = hosts[slot].waiting.popLast()
            {
                excess.append(item)
            }
            waitingCount -= excess.count
            items += excess.reversed()
        }
        return items
    }

    private static func quota(_ host: Host) -> Int { quota(host.conduct.concurrency) }

    private static func quota(_ concurrency: Int) -> Int { 2 * max(1, min(concurrency, 4096)) }

    /// Once where half of its share is left, and once where nothing is: the share may have changed.
    private mutating func noteDemand(_ slot: Int) {
        guard recordsDemand else { return }
        let count = hosts[slot].waiting.count
        if count == 0 || count * 2 == Self.quota(hosts[slot]) { demand.append(hosts[slot].key) }
    }

    /// Removes and returns all that wait.
    mutating func removeAllWaiting() -> [Item] {
        var items: [Item] = []
        for slot in hosts.indices {
            while let item = hosts[slot].waiting.popFirst() { items.append(item) }
            hosts[slot].heldUntil = nil
            hosts[slot].isBlocked = false
        }
        waitingCount = 0
        turns = RingQueue()
        holds.removeAll()
        for (_, slot) in slots {
            hosts[slot].isInTurn = false
            forgetIfIdle(slot)
        }
        return items
    }

    private func mayStart(_ slot: Int) -> Bool {
        !hosts[slot].waiting.isEmpty && hosts[slot].inFlight < hosts[slot].conduct.concurrency
            && hosts[slot].heldUntil == nil && !hosts[slot].isBlocked
    }

    private mutating func takeTurn(_ slot: Int) {
        guard !hosts[slot].isInTurn, mayStart(slot) else { return }
        hosts[slot].isInTurn = true
        turns.append(slot)
    }

    private mutating func hold(_ slot: Int, until time: MonotonicTime) {
        if let held = hosts[slot].heldUntil, held >= time { return }
        hosts[slot].heldUntil = time
        holds.insert(slot, at: time)
    }

    private mutating func endHold(_ slot: Int, at now: MonotonicTime) {
        // A pause that was made longer has another entry, which ends it.
        guard let end = hosts[slot].heldUntil, end <= now else { return }
        hosts[slot].heldUntil = nil
        takeTurn(slot)
        forgetIfIdle(slot)
    }

    private mutating func slot(for key: String) -> Int {
        if let slot = slots[key] { return slot }
        let conduct =
            memory.take(key)
            ?? HostConduct(policies[key], isAdaptive: isAdaptive, breaker: breaker)
        let slot: Int
        if let free = unused.popLast() {
            slot = free
            hosts[slot] = Host(key: key, conduct: conduct)
        } else {
            slot = hosts.count
            hosts.append(Host(key: key, conduct: conduct))
        }
        slots[key] = slot
        return slot
    }

    private mutating func forgetIfIdle(_ slot: Int) {
        let host = hosts[slot]
        guard host.waiting.isEmpty, host.inFlight == 0, host.heldUntil == nil, !host.isInTurn,
            !host.isBlocked
        else { return }
        slots[host.key] = nil
        if host.conduct.hasLearnt { memory.keep(host.conduct, of: host.key) }
        hosts[slot] = Host(conduct: host.conduct)
        unused.append(slot)
    }
}
