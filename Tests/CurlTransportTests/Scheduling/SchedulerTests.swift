internal import Posix
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite struct SchedulerTests {
    @Test(arguments: 0..<40)
    func everyTransferIsAdmittedOrWithdrawnOnceWithinLimits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var play = SchedulerSimulation(
            origins: Int.random(in: 1...12, using: &random),
            perHost: [1, 2, 5, .max].randomElement(using: &random) ?? 1,
            places: Int.random(in: 1...20, using: &random),
            lookups: Int.random(in: 1...4, using: &random)
        )
        var count = 0
        for _ in 0..<3_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3:
                play.enqueue(Int.random(in: 0..<play.keys.count, using: &random))
                count += 1
            case 4, 5:
                _ = play.admit()
            case 6 where !play.running.isEmpty:
                let index = Int.random(in: 0..<play.running.count, using: &random)
                play.endLookup(index, succeeded: !random.isOne(in: 3))
            case 7, 8:
                guard !play.running.isEmpty else { continue }
                play.end(Int.random(in: 0..<play.running.count, using: &random))
            case 9 where !play.waiting.isEmpty:
                play.withdraw(Int.random(in: 0..<play.waiting.count, using: &random))
            default:
                play.now = play.now.advanced(by: .milliseconds(random.isOne(in: 20) ? 1500 : 1))
            }
            #expect(play.scheduler.waitingCount == play.waiting.count)
        }
        play.drain()
        #expect(play.faults == [])
        #expect(play.waiting.isEmpty)
        #expect(play.scheduler.waitingCount == 0)
        #expect(play.admitted.count + play.withdrawn.count == count)
        #expect(play.admitted.isDisjoint(with: play.withdrawn))
    }

    @Test(arguments: [1, 3])
    func noOriginIsStarved(places: Int) {
        var play = SchedulerSimulation(origins: 8, perHost: .max, places: places, lookups: 1)
        for origin in 0..<8 { play.enqueue(origin) }
        var servedLast = [Int](repeating: 0, count: 8)
        for turn in 1...2_000 {
            while let next = play.admit() {
                guard let origin = play.keys.firstIndex(of: next.key) else { continue }
                servedLast[origin] = turn
                play.enqueue(origin)
            }
            play.end(0)
            // Lookups expire now and then, so that they compete as well.
            if turn % 50 == 0 { play.now = play.now.advanced(by: .seconds(2)) }
            for origin in 0..<8 where turn - servedLast[origin] > 64 {
                Issue.record("origin \(origin) has waited for 64 others")
                return
            }
        }
        #expect(play.faults == [])
    }

    @Test func concurrentTransfersToNewNameShareOneLookup() {
        var play = SchedulerSimulation(
            origins: 1,
            perHost: .max,
            places: 100,
            lookups: 64,
            namesOnly: true
        )
        for _ in 0..<50 { play.enqueue(0) }
        let first = play.admit()
        #expect(first?.isLookingUp == true)
        let second = play.admit()
        #expect(second == nil)
        play.endLookup(0, succeeded: true)
        while let next = play.admit() { #expect(!next.isLookingUp) }
        #expect(play.running.count == 50)
    }

    @Test func failedLookupIsRetriedByNextTransfer() {
        var play = SchedulerSimulation(
            origins: 1,
            perHost: .max,
            places: 100,
            lookups: 64,
            namesOnly: true
        )
        for _ in 0..<3 { play.enqueue(0) }
        for _ in 0..<3 {
            let next = play.admit()
            #expect(next?.isLookingUp == true)
            let another = play.admit()
            #expect(another == nil)
            play.end(0)
        }
        #expect(play.waiting.isEmpty)
        #expect(play.faults == [])
    }

    @Test func thousandLookupsRespectLimit() {
        var play = SchedulerSimulation(
            origins: 1_000,
            perHost: .max,
            places: .max,
            lookups: 64,
            namesOnly: true
        )
        for origin in 0..<1_000 { play.enqueue(origin) }
        while play.admit() != nil {}
        #expect(play.running.count == 64)
        play.drain()
        #expect(play.admitted.count == 1_000)
        #expect(play.faults == [])
    }

    @Test func originsBeyondMemoryLimitAreServed() {
        var play = SchedulerSimulation(origins: 10_000, perHost: 1, places: 10, lookups: 10)
        for round in 0..<2 {
            for origin in 0..<10_000 {
                play.enqueue(origin)
                _ = play.admit()
                if play.running.count == 10 || round == 1 { play.end(0) }
            }
        }
        play.drain()
        #expect(play.faults == [])
        #expect(play.admitted.count == 20_000)
    }

    @Test func withdrawingHundredThousandIsFast() {
        var scheduler = Scheduler(maximumConnectionsPerHost: 1, lookupLifetime: .seconds(1))
        let key = OriginKey(origin: "http://h", route: "", hasName: false)
        var origin = 0
        var transfers: [TransferID] = []
        for _ in 0..<100_000 {
            let transfer = TransferID.next()
            origin = scheduler.enqueue(transfer, for: key)
            transfers.append(transfer)
        }
        var random = SeededGenerator(seed: 1)
        transfers.shuffle(using: &random)
        // The CPU time of this thread, because other tests use the processors too.
        let start = ThreadFacts.nanosecondsOfThisThread
        for transfer in transfers { scheduler.withdraw(transfer, from: origin) }
        let took = ThreadFacts.nanosecondsOfThisThread - start
        #expect(scheduler.waitingCount == 0)
        // Searching the queue for each transfer takes minutes.
        #expect(took < 20_000_000_000)
    }

    /// A list of URLs with a different host each.
    @Test func fortyThousandOriginsAreServed() throws {
        var scheduler = Scheduler(maximumConnectionsPerHost: nil, lookupLifetime: .seconds(60))
        for number in 0..<40_000 {
            let key = OriginKey(origin: "http://h\(number):80", route: "", hasName: false)
            _ = scheduler.enqueue(.next(), for: key)
            let admission = scheduler.admit()
            scheduler.ended(try #require(admission).origin)
        }
        // An origin that returns may still have its connection.
        let first = OriginKey(origin: "http://h0:80", route: "", hasName: false)
        _ = scheduler.enqueue(.next(), for: first)
        let admission = scheduler.admit()
        #expect(try #require(admission).mayReuseConnection)
    }

    @Test func connectionIsReusedOnlyIfOneMayBeIdle() throws {
        var scheduler = Scheduler(maximumConnectionsPerHost: nil, lookupLifetime: .seconds(60))
        let key = OriginKey(origin: "http://a:80", route: "", hasName: false)
        var running: [Scheduler.OriginIndex] = []
        func start() throws -> Bool {
            _ = scheduler.enqueue(.next(), for: key)
            let next = scheduler.admit()
            let admission = try #require(next)
            running.append(admission.origin)
            return admission.mayReuseConnection
        }
        #expect(try !start())
        #expect(try !start())
        scheduler.ended(running.removeLast())
        #expect(try start())
        #expect(try !start())
        for origin in running { scheduler.ended(origin) }
        running = []
        for _ in 0..<3 { #expect(try start()) }
        #expect(try !start())
    }
}

extension Scheduler {
    /// The next transfer, without limits.
    fileprivate mutating func admit() -> Admission? {
        next(
            now: .now,
            takePlace: { .granted },
            takeLookup: { .granted },
            releasePlace: {}
        )
    }
}
