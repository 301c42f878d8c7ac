internal import Posix
internal import Testing

@testable internal import CurlTransport

@Suite struct ShardEventsTests {
    private func time(_ nanoseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds)
    }

    // MARK: Sockets

    @Test("A socket belongs to the shard that watches it")
    func watchedSocketHasOwner() {
        var events = ShardEvents()
        events.watch(7, by: 0)
        events.watch(900, by: 3)
        #expect(events.owner(of: 7) == 0)
        #expect(events.owner(of: 900) == 3)
        #expect(events.owner(of: 5000) == 0)
    }

    @Test("A descriptor that another shard uses again belongs to that one")
    func reusedDescriptorChangesOwner() {
        var events = ShardEvents()
        for shard in [0, 1, 2, 0] {
            events.watch(12, by: shard)
            #expect(events.owner(of: 12) == shard)
        }
    }

    // MARK: Timers

    @Test("The earliest of all timers is known after each change")
    func earliestTimerIsKnown() {
        var events = ShardEvents()
        #expect(events.earliest == .distantFuture)
        events.setTimer(of: 0, to: time(50))
        events.setTimer(of: 2, to: time(20))
        #expect(events.earliest == time(20))
        events.setTimer(of: 2, to: time(70))
        #expect(events.earliest == time(50))
        events.setTimer(of: 0, to: nil)
        #expect(events.earliest == time(70))
        events.setTimer(of: 1, to: time(60))
        #expect(events.earliest == time(60))
        events.setTimer(of: 1, to: nil)
        events.setTimer(of: 2, to: nil)
        #expect(events.earliest == .distantFuture)
    }

    /// Takes the expired timers as a turn of the loop does.
    private func expired(_ events: inout ShardEvents, at now: MonotonicTime) -> [Int] {
        var shards: [Int] = []
        while let shard = events.takeExpired(from: shards.last.map { $0 + 1 } ?? 0, at: now) {
            shards.append(shard)
        }
        return shards
    }

    @Test("Each expired timer is taken once")
    func expiredTimersAreTakenOnce() {
        var events = ShardEvents()
        for (shard, nanoseconds) in [30, 10, 90, 20].enumerated() {
            events.setTimer(of: shard, to: time(Int64(nanoseconds)))
        }
        #expect(expired(&events, at: time(9)).isEmpty)
        #expect(expired(&events, at: time(30)) == [0, 1, 3])
        #expect(expired(&events, at: time(30)).isEmpty)
        #expect(events.earliest == time(90))
    }

    @Test("A timer that is set to now while it expires waits for the next turn")
    func renewedTimerWaits() {
        var events = ShardEvents()
        events.setTimer(of: 1, to: time(10))
        #expect(events.takeExpired(at: time(10)) == 1)
        events.setTimer(of: 1, to: time(10))
        #expect(events.takeExpired(from: 2, at: time(10)) == nil)
        #expect(events.takeExpired(at: time(10)) == 1)
    }

    // MARK: Results

    @Test("Only shards in which libcurl has worked are asked for results, once each")
    func workedShardsAreListedOnce() {
        var events = ShardEvents()
        for shard in [4, 0, 4, 4, 0] { events.noteWork(in: shard) }
        var shards: Set<Int> = []
        while let shard = events.takeWorked() { #expect(shards.insert(shard).inserted) }
        #expect(shards == [0, 4])
        events.noteWork(in: 4)
        #expect(events.takeWorked() == 4)
        #expect(events.takeWorked() == nil)
    }
}
