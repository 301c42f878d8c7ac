internal import DequeModule
import Posix

/// Decides what is fetched next: one queue per host, served in turn.
///
/// A host never exceeds its concurrency limit, and its starts keep their minimum interval. A host
/// that is at its limit, or that asked for a pause, is skipped and delays no other host. Adding and
/// starting an item take constant time on average; a pause takes logarithmic time. Only hosts with
/// queued items, items in flight or a pending pause are stored; of some thousands of idle hosts the
/// per-host state is cached. Pure: the caller passes the current time.
struct HostQueues<Item: Sendable>: Sendable {
    private struct Host: Sendable {
        var key = ""
        var waiting = Deque<Item>()
        var inFlight = 0
        var heldUntil: MonotonicTime?
        /// Whether the host is in `readyHosts`.
        var isReady = false
        /// Whether no item is started until ``HostQueues/unblock(host:interval:)``.
        var isBlocked = false
        var state: HostState
    }

    /// What a host's circuit breaker did, until when, and why.
    typealias BreakerRecord = (
        host: String, kind: BreakerChange, end: MonotonicTime, reason: BatchFailure?
    )

    private let policies: HostPolicies
    private let isAdaptive: Bool
    private let breaker: BreakerPolicy?
    /// The number of queued items of all hosts.
    private(set) var waitingCount = 0
    private var hosts: [Host] = []
    private var unused: [Int] = []
    private var slots: [String: Int] = [:]
    private var readyHosts = Deque<Int>()
    private var holds = TimedHeap<Int>()
    /// The per-host state of idle hosts.
    private var memory = HostStateCache()
    /// What circuit breakers did since the last ``takeBreakerChanges()``, if recording is on.
    private(set) var breakerChanges: [BreakerRecord] = []
    var recordsBreakerChanges = false
    /// Whether the item that ``next(at:)`` returned last is its host's probe.
    ///
    /// No other item of that host starts before ``finished(host:_:_:pause:isProbe:at:)``.
    private(set) var hasStartedProbe = false
    /// Hosts whose queue ran low since ``takeLowQueues()``, if recording is on.
    private var lowQueues: [String] = []
    var recordsLowQueues = false

    init(policies: HostPolicies, isAdaptive: Bool = false, breaker: BreakerPolicy? = nil) {
        self.policies = policies
        self.isAdaptive = isAdaptive
        self.breaker = breaker
    }

    init(limitPerHost: Int) {
        let usual = HostPolicy(concurrency: max(1, limitPerHost), interval: .zero)
        self.init(policies: HostPolicies(usual: usual))
    }

    /// The number of stored hosts, without the cache of idle ones.
    var hostCount: Int { slots.count }

    /// The end of the next pause; `nil` if there is none.
    var nextHoldEnd: MonotonicTime? { holds.nextTime }

    /// Adds an item to its host's queue: at the front if `isFirst`, as for an item that was queued
    /// before, and at the end otherwise.
    mutating func add(_ item: Item, host key: String, isFirst: Bool = false) {
        let slot = slot(for: key)
        if isFirst {
            hosts[slot].waiting.prepend(item)
        } else {
            hosts[slot].waiting.append(item)
        }
        waitingCount += 1
        markReady(slot)
    }

    /// Removes and returns the next item that may start.
    ///
    /// The item counts as in flight from then on.
    mutating func next(at now: MonotonicTime) -> Item? {
        endHolds(at: now)
        while let slot = readyHosts.popFirst() {
            hosts[slot].isReady = false
            guard mayStart(slot), let item = hosts[slot].waiting.popFirst() else { continue }
            hosts[slot].inFlight += 1
            waitingCount -= 1
            noteLowQueue(slot)
            if let next = hosts[slot].state.attemptStarted(at: now) { hold(slot, until: next) }
            hasStartedProbe = hosts[slot].state.isProbing
            markReady(slot)
            return item
        }
        return nil
    }

    /// Ends the pauses that are due, even without queued items.
    mutating func endHolds(at now: MonotonicTime) {
        while let slot = holds.popDue(at: now) { endHold(slot, at: now) }
    }

    /// Records the end of an item that ``next(at:)`` returned.
    ///
    /// Returns the queued items of the host if the circuit breaker gives up on it.
    ///
    /// - Parameters:
    ///   - pause: The pause that the host requested; `nil` for none. The caller holds the host.
    ///   - isProbe: Whether the item was the host's probe, as ``hasStartedProbe`` said.
    @discardableResult
    mutating func finished(
        host key: String,
        _ feedback: HostFeedback = .neutral,
        _ failure: BatchFailure? = nil,
        pause: Duration? = nil,
        isProbe: Bool = true,
        at now: MonotonicTime = MonotonicTime(nanoseconds: .min)
    ) -> [Item] {
        guard let slot = slots[key] else { return [] }
        hosts[slot].inFlight = max(0, hosts[slot].inFlight - 1)
        var givenUp: [Item] = []
        let wasBroken = recordsBreakerChanges && hosts[slot].state.isBroken
        let action = hosts[slot].state.attemptEnded(
            feedback,
            failure,
            pause: pause,
            isProbe: isProbe,
            at: now
        )
        switch action {
        case .none:
            if wasBroken, !hosts[slot].state.isBroken { record(.closed, of: slot, until: now) }
        case .hold(let end):
            record(.opened, of: slot, until: end)
            hold(slot, until: end)
        case .giveUp(let end):
            record(.gaveUp, of: slot, until: end)
            hold(slot, until: end)
            givenUp = removeWaiting(host: key)
        }
        markReady(slot)
        forgetIfIdle(slot)
        return givenUp
    }

    private mutating func record(
        _ change: BreakerChange,
        of slot: Int,
        until end: MonotonicTime
    ) {
        guard recordsBreakerChanges else { return }
        let (host, reason) = (hosts[slot].key, hosts[slot].state.lastFailure)
        breakerChanges.append((host, change, end, reason))
    }

    /// Removes and returns the recorded changes of circuit breakers.
    mutating func takeBreakerChanges() -> [BreakerRecord] {
        defer { breakerChanges = [] }
        return breakerChanges
    }

    /// Whether the circuit breaker has given up on this host.
    func isGivenUp(host key: String, at now: MonotonicTime) -> Bool {
        state(of: key)?.isGivenUp(at: now) ?? false
    }

    /// The host's last failure; `nil` after a success.
    func lastFailure(of key: String) -> BatchFailure? { state(of: key)?.lastFailure }

    private func state(of key: String) -> HostState? {
        slots[key].map { hosts[$0].state } ?? memory[key]
    }

    /// Sets a minimum time between the starts of this host. Ignored if the host isn't stored.
    mutating func require(interval: Duration, host key: String) {
        guard let slot = slots[key] else { return }
        hosts[slot].state.require(interval: interval)
    }

    /// Records the start of a request from outside the queue.
    mutating func noteStart(host key: String, at now: MonotonicTime) {
        let slot = slot(for: key)
        if let next = hosts[slot].state.requestStarted(at: now) { hold(slot, until: next) }
    }

    /// Records that the response to the host's probe has begun and isn't a failure: the host's other
    /// items may start, although the probe's body is still being received.
    mutating func probeAnswered(host key: String, at now: MonotonicTime) {
        guard let slot = slots[key], hosts[slot].state.isProbing else { return }
        let wasBroken = recordsBreakerChanges && hosts[slot].state.isBroken
        hosts[slot].state.probeAnswered()
        if wasBroken { record(.closed, of: slot, until: now) }
        markReady(slot)
    }

    /// Makes the item that ``next(at:)`` returned last an ordinary one: another may be the probe.
    mutating func withdrawProbe(host key: String, at now: MonotonicTime) {
        guard hasStartedProbe, let slot = slots[key] else { return }
        _ = hosts[slot].state.attemptEnded(.neutral, at: now)
        hasStartedProbe = false
    }

    /// When the next item of this host may start; `nil` for at once.
    func nextStart(of key: String) -> MonotonicTime? { slots[key].flatMap { hosts[$0].heldUntil } }

    /// Starts no item of this host before `time`; the longer of two pauses applies.
    mutating func hold(host key: String, until time: MonotonicTime) {
        hold(slot(for: key), until: time)
    }

    /// Starts no item of this host until ``unblock(host:interval:)``.
    mutating func block(host key: String) {
        hosts[slot(for: key)].isBlocked = true
    }

    /// Undoes ``block(host:)`` and sets the host's minimum time between starts.
    mutating func unblock(host key: String, interval: Duration = .zero) {
        guard let slot = slots[key] else { return }
        hosts[slot].isBlocked = false
        hosts[slot].state.require(interval: interval)
        markReady(slot)
        forgetIfIdle(slot)
    }

    /// Removes and returns the queued items of this host.
    mutating func removeWaiting(host key: String) -> [Item] {
        guard let slot = slots[key] else { return [] }
        var items: [Item] = []
        while let item = hosts[slot].waiting.popFirst() { items.append(item) }
        waitingCount -= items.count
        noteLowQueue(slot)
        return items
    }

    // MARK: Items queued on disk

    /// Whether any host may have an item to start.
    var hasReadyHosts: Bool { !readyHosts.isEmpty }

    /// Whether the queue of any host ran low.
    var hasLowQueues: Bool { !lowQueues.isEmpty }

    /// Removes and returns the hosts whose queue ran low. Each host for which ``room(for:)`` was
    /// zero is returned eventually.
    mutating func takeLowQueues() -> [String] {
        defer { lowQueues = [] }
        return lowQueues
    }

    /// The number of items that may be added to a host's queue.
    ///
    /// It applies to hosts with items on disk, whose queue holds twice their concurrency limit.
    func room(for key: String) -> Int {
        guard let slot = slots[key] else { return Self.quota(policies[key].concurrency) }
        return max(0, Self.quota(hosts[slot]) - hosts[slot].waiting.count)
    }

    /// Removes and returns the items beyond each host's share, in order.
    ///
    /// They are taken from the end of the host's queue, up to the first item that isn't movable.
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

    private static func quota(_ host: Host) -> Int { quota(host.state.concurrency) }

    private static func quota(_ concurrency: Int) -> Int { 2 * max(1, min(concurrency, 4096)) }

    /// Records a host whose queue is half full, or empty.
    ///
    /// Half means half of its share. An empty queue is recorded again because the share may have
    /// changed.
    private mutating func noteLowQueue(_ slot: Int) {
        guard recordsLowQueues else { return }
        let count = hosts[slot].waiting.count
        if count == 0 || count * 2 == Self.quota(hosts[slot]) { lowQueues.append(hosts[slot].key) }
    }

    /// Removes and returns all queued items.
    mutating func removeAllWaiting() -> [Item] {
        var items: [Item] = []
        for slot in hosts.indices {
            while let item = hosts[slot].waiting.popFirst() { items.append(item) }
            hosts[slot].heldUntil = nil
            hosts[slot].isBlocked = false
        }
        waitingCount = 0
        readyHosts = Deque()
        holds.removeAll()
        for (_, slot) in slots {
            hosts[slot].isReady = false
            forgetIfIdle(slot)
        }
        return items
    }

    private func mayStart(_ slot: Int) -> Bool {
        !hosts[slot].waiting.isEmpty && hosts[slot].inFlight < hosts[slot].state.concurrency
            && hosts[slot].heldUntil == nil && !hosts[slot].isBlocked
            && !hosts[slot].state.isProbing
    }

    private mutating func markReady(_ slot: Int) {
        guard !hosts[slot].isReady, mayStart(slot) else { return }
        hosts[slot].isReady = true
        readyHosts.append(slot)
    }

    private mutating func hold(_ slot: Int, until time: MonotonicTime) {
        if let held = hosts[slot].heldUntil, held >= time { return }
        hosts[slot].heldUntil = time
        holds.insert(slot, at: time)
    }

    private mutating func endHold(_ slot: Int, at now: MonotonicTime) {
        // An extended pause has a later heap entry, which ends it.
        guard let end = hosts[slot].heldUntil, end <= now else { return }
        hosts[slot].heldUntil = nil
        markReady(slot)
        forgetIfIdle(slot)
    }

    private mutating func slot(for key: String) -> Int {
        if let slot = slots[key] { return slot }
        let state =
            memory.take(key)
            ?? HostState(policies[key], isAdaptive: isAdaptive, breaker: breaker)
        let slot: Int
        if let free = unused.popLast() {
            slot = free
            hosts[slot] = Host(key: key, state: state)
        } else {
            slot = hosts.count
            hosts.append(Host(key: key, state: state))
        }
        slots[key] = slot
        return slot
    }

    private mutating func forgetIfIdle(_ slot: Int) {
        let host = hosts[slot]
        guard host.waiting.isEmpty, host.inFlight == 0, host.heldUntil == nil, !host.isReady,
            !host.isBlocked
        else { return }
        slots[host.key] = nil
        if host.state.hasLearnt { memory.keep(host.state, of: host.key) }
        hosts[slot] = Host(state: host.state)
        unused.append(slot)
    }
}
