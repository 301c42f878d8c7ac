internal import Posix

@testable internal import CurlTransport

/// A scheduler with simulated random hosts, budgets, lookups and clock.
struct SchedulerSimulation {
    struct Running: Equatable {
        let transfer: TransferID
        let origin: Scheduler.OriginIndex
        let key: OriginKey
        var isLookingUp: Bool
    }

    struct Waiting {
        let transfer: TransferID
        let origin: Scheduler.OriginIndex
        let key: OriginKey
    }

    var scheduler: Scheduler
    let keys: [OriginKey]
    let perHost: Int
    var placesLeft: Int
    var lookupsLeft: Int
    var now = MonotonicTime(nanoseconds: 0)

    var waiting: [Waiting] = []
    var running: [Running] = []
    var admitted: Set<TransferID> = []
    var withdrawn: Set<TransferID> = []

    var faults: [String] = []

    init(origins: Int, perHost: Int, places: Int, lookups: Int, namesOnly: Bool = false) {
        scheduler = Scheduler(
            maximumConnectionsPerHost: perHost == .max ? nil : perHost,
            lookupLifetime: .seconds(1)
        )
        keys = (0..<origins).map { index in
            OriginKey(
                origin: "http://host-\(index)",
                route: "",
                hasName: namesOnly || index % 2 == 0
            )
        }
        self.perHost = perHost
        (placesLeft, lookupsLeft) = (places, lookups)
    }

    mutating func enqueue(_ origin: Int) {
        let transfer = TransferID.next()
        let index = scheduler.enqueue(transfer, for: keys[origin])
        waiting.append(Waiting(transfer: transfer, origin: index, key: keys[origin]))
    }

    /// Admits one transfer, as the loop does; nil if none may start.
    mutating func admit() -> Running? {
        var places = placesLeft
        var lookups = lookupsLeft
        let admission = scheduler.next(
            now: now,
            takePlace: { Self.take(&places) },
            takeLookup: { Self.take(&lookups) },
            releasePlace: { places += 1 }
        )
        (placesLeft, lookupsLeft) = (places, lookups)
        guard let admission else { return nil }
        guard let index = waiting.firstIndex(where: { $0.transfer == admission.transfer }) else {
            faults.append("\(admission.transfer) wasn't waiting")
            return nil
        }
        let found = waiting.remove(at: index)
        if waiting[..<index].contains(where: { $0.key == found.key }) {
            faults.append("\(admission.transfer) overtook another of its origin")
        }
        if found.origin != admission.origin { faults.append("the origin's place has changed") }
        admitted.insert(found.transfer)
        let new = Running(
            transfer: found.transfer,
            origin: found.origin,
            key: found.key,
            isLookingUp: admission.performsLookup
        )
        running.append(new)
        check(new)
        return new
    }

    private static func take(_ count: inout Int) -> Scheduler.Permit {
        guard count > 0 else { return .refused }
        count -= 1
        return .granted
    }

    private mutating func check(_ new: Running) {
        let beside = running.count { $0.key == new.key }
        if beside > perHost { faults.append("\(beside) at once to \(new.key.origin)") }
        let lookups = running.count { $0.key == new.key && $0.isLookingUp }
        if lookups > 1 { faults.append("\(lookups) look-ups of \(new.key.origin)") }
        if new.isLookingUp, !new.key.hasName { faults.append("a look-up of a number") }
        if placesLeft < 0 || lookupsLeft < 0 { faults.append("more than there are places") }
    }

    mutating func endLookup(_ index: Int, succeeded: Bool) {
        guard running[index].isLookingUp else { return }
        running[index].isLookingUp = false
        lookupsLeft += 1
        scheduler.lookupEnded(of: running[index].origin, succeeded: succeeded, now: now)
    }

    mutating func end(_ index: Int) {
        endLookup(index, succeeded: false)
        let ended = running.remove(at: index)
        placesLeft += 1
        scheduler.ended(ended.origin)
    }

    mutating func withdraw(_ index: Int) {
        let left = waiting.remove(at: index)
        withdrawn.insert(left.transfer)
        scheduler.withdraw(left.transfer, from: left.origin)
    }

    /// Runs until all transfers have ended.
    mutating func drain() {
        for _ in 0..<1_000_000 {
            while admit() != nil {}
            guard !running.isEmpty else { return }
            end(0)
        }
        faults.append("it never ends")
    }
}
