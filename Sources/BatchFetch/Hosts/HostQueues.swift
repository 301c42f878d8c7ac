import CurlResilience
internal import DequeModule
import Posix

/// Decides what is fetched next: one queue per host, served in turn.
///
/// A host never exceeds its concurrency limit, and its starts keep their minimum interval. The same
/// holds for hosts that share a limit (see ``HostGroups``). A host that is at its limit, or that asked
/// for a pause, is skipped and delays no other host. Adding and starting an item take constant time
/// on average; a pause takes logarithmic time. Only hosts with queued items, items in flight or a
/// pending pause are stored; of some thousands of idle hosts the per-host state is cached. Pure: the
/// caller passes the current time.
struct HostQueues<Item: Sendable>: Sendable {
    // Not private, as others below, because the code for items on disk is in another file.
    struct Host: Sendable {
        var key = ""
        var waiting = Deque<Item>()
        var inFlight = 0
        var heldUntil: MonotonicTime?
        /// Whether the host is in `readyHosts`.
        var isReady = false
        /// Whether no item is started until ``HostQueues/unblock(host:interval:)``.
        var isBlocked = false
        /// The host's groups, whose limits it shares with other hosts.
        var groups: [Int] = []
        /// Whether one of its groups keeps it until there is room.
        var isParked = false
        /// Whether its addresses, and therefore groups, aren't known yet.
        var isUnresolved = false
        var state: HostState
    }

    /// What a host's circuit breaker did, until when, and why.
    typealias BreakerRecord = (
        host: String, kind: BreakerChange, end: MonotonicTime, reason: BatchFailure?
    )

    let policies: HostPolicies
    private let isAdaptive: Bool
    private let breaker: BreakerPolicy?
    /// The number of queued items of all hosts.
    var waitingCount = 0
    var hosts: [Host] = []
    private var unused: [Int] = []
    var slots: [String: Int] = [:]
    var readyHosts = Deque<Int>()
    private var holds = TimedHeap<Int>()
    /// The per-host state of idle hosts.
    var memory = HostStateCache()
    private var recurrence = HostRecurrence()
    /// What circuit breakers did since the last ``takeBreakerChanges()``, if recording is on.
    private(set) var breakerChanges: [BreakerRecord] = []
    var recordsBreakerChanges = false
    /// Whether the item that ``next(at:)`` returned last is its host's probe.
    ///
    /// No other item of that host starts before ``probeAnswered(host:at:)`` or
    /// ``finished(host:_:_:pause:isProbe:at:)``.
    private(set) var hasStartedProbe = false
    /// Hosts whose queue ran low since ``takeLowQueues()``, if recording is on.
    var lowQueues: [String] = []
    var recordsLowQueues = false
    var groups: HostGroups
    /// Whether a host may have groups.
    private let hasGroups: Bool
    var addresses: AddressBook
    /// The latest time that a caller passed.
    private(set) var latest = MonotonicTime(nanoseconds: .min)

    init(
        policies: HostPolicies,
        isAdaptive: Bool = false,
        breaker: BreakerPolicy? = nil,
        groups limits: GroupLimits = GroupLimits(),
        addresses: [String: [String]] = [:]
    ) {
        self.policies = policies
        self.isAdaptive = isAdaptive
        self.breaker = breaker
        groups = HostGroups(limits)
        self.addresses = AddressBook(overrides: addresses)
        hasGroups = limits != GroupLimits() || policies.hasSharedRules
    }

    init(limitPerHost: Int) {
        let usual = HostPolicy(concurrency: max(1, limitPerHost), interval: .zero)
        self.init(policies: HostPolicies(usual: usual))
    }

    /// The number of stored hosts, without the cache of idle ones.
    var hostCount: Int { slots.count }

    /// The end of the next pause; `nil` if there is none.
    var nextHoldEnd: MonotonicTime? {
        guard let end = groups.nextHoldEnd else { return holds.nextTime }
        return holds.nextTime.map { min($0, end) } ?? end
    }

    /// Adds an item to its host's queue: at the front if `isFirst`, as for an item that was queued
    /// before, and at the end otherwise.
    mutating func add(_ item: Item, host key: String, isFirst: Bool = false) {
        // A redirect or a retry doesn't mean that the list has the host again.
        let slot = slot(for: key, isListed: !isFirst)
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
            guard !parkIfFull(slot, at: now), let item = hosts[slot].waiting.popFirst() else {
                continue
            }
            hosts[slot].inFlight += 1
            waitingCount -= 1
            noteLowQueue(slot)
            if let next = hosts[slot].state.attemptStarted(at: now) { hold(slot, until: next) }
            hasStartedProbe = hosts[slot].state.isProbing
            let joined = hosts[slot].groups
            groups.started(joined, at: now)
            unpark(joined, at: now)
            markReady(slot)
            return item
        }
        return nil
    }

    /// Ends the pauses that are due, even without queued items.
    mutating func endHolds(at now: MonotonicTime) {
        latest = now
        unpark(groups.endHolds(at: now), at: now)
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
        // Before the host itself, which would otherwise take each place that it leaves.
        groups.ended(hosts[slot].groups)
        unpark(hosts[slot].groups, at: now)
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

    /// Whether the host may need the connection of a starting item after its end.
    ///
    /// That is so if hosts often get more items, or if this one has as many queued items as items in
    /// flight. With fewer, those that started earlier have connections for them. If further items may
    /// be on disk, one queued item suffices.
    func needsConnection(host key: String) -> Bool {
        guard recurrence.isRare, let slot = slots[key] else { return true }
        let waiting = hosts[slot].waiting.count
        return waiting >= hosts[slot].inFlight || recordsLowQueues && waiting > 0
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

    /// Removes and returns all queued items.
    mutating func removeAllWaiting() -> [Item] {
        var items: [Item] = []
        for slot in hosts.indices {
            while let item = hosts[slot].waiting.popFirst() { items.append(item) }
            hosts[slot].heldUntil = nil
            hosts[slot].isBlocked = false
            hosts[slot].isParked = false
            hosts[slot].isUnresolved = false
        }
        waitingCount = 0
        readyHosts = Deque()
        holds.removeAll()
        groups.removeAllParked()
        addresses.removeAllWaiting()
        for (_, slot) in slots {
            hosts[slot].isReady = false
            forgetIfIdle(slot)
        }
        return items
    }

    private func mayStart(_ slot: Int) -> Bool {
        !hosts[slot].waiting.isEmpty && hosts[slot].inFlight < hosts[slot].state.concurrency
            && hosts[slot].heldUntil == nil && !hosts[slot].isBlocked
            && !hosts[slot].state.isProbing && !hosts[slot].isUnresolved
    }

    mutating func markReady(_ slot: Int) {
        guard !hosts[slot].isReady, !hosts[slot].isParked, mayStart(slot) else { return }
        hosts[slot].isReady = true
        readyHosts.append(slot)
    }

    /// Whether the host can't start an item. If one of its groups is full, the host is parked.
    private mutating func parkIfFull(_ slot: Int, at now: MonotonicTime) -> Bool {
        let joined = hosts[slot].groups
        let isStartable = mayStart(slot)
        if isStartable {
            guard let full = groups.full(joined, at: now) else { return false }
            hosts[slot].isParked = true
            groups.park(slot, in: full, at: now)
        }
        // Another host may use the room that this one leaves.
        unpark(joined, at: now)
        if !isStartable { forgetIfIdle(slot) }
        return true
    }

    /// Makes the next parked host of each group with room ready.
    private mutating func unpark(_ joined: [Int], at now: MonotonicTime) {
        for group in joined {
            while let slot = groups.unpark(group, at: now) {
                hosts[slot].isParked = false
                markReady(slot)
                if hosts[slot].isReady { break }
                forgetIfIdle(slot)
            }
        }
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

    func newState(of key: String) -> HostState {
        HostState(policies[key], isAdaptive: isAdaptive, breaker: breaker)
    }

    private mutating func slot(for key: String, isListed: Bool = false) -> Int {
        if let slot = slots[key] { return slot }
        if isListed { recurrence.appeared(host: key) }
        let state = memory.take(key) ?? newState(of: key)
        let slot: Int
        if let free = unused.popLast() {
            slot = free
            hosts[slot] = Host(key: key, state: state)
        } else {
            slot = hosts.count
            hosts.append(Host(key: key, state: state))
        }
        slots[key] = slot
        if hasGroups { joinGroups(slot) }
        return slot
    }

    mutating func forgetIfIdle(_ slot: Int) {
        let host = hosts[slot]
        guard host.waiting.isEmpty, host.inFlight == 0, host.heldUntil == nil, !host.isReady,
            !host.isBlocked, !host.isParked, !host.isUnresolved
        else { return }
        slots[host.key] = nil
        groups.leave(host.groups)
        if host.state.hasLearnt { memory.keep(host.state, of: host.key) }
        hosts[slot] = Host(state: host.state)
        unused.append(slot)
    }
}
