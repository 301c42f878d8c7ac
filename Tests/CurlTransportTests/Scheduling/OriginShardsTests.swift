internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite struct OriginShardsTests {
    private static let capacity = OriginShards.capacity

    /// An origin's attempts, with a connection each as libcurl would choose it.
    private struct Model {
        var shards = OriginShards()
        /// The shards of the attempts that have a connection.
        var busy: [Int] = []
        /// The shards of the idle connections.
        var idle: [Int] = []
        var opened = 0

        /// Starts an attempt, which takes an idle connection of its shard, or opens one.
        @discardableResult
        mutating func start() -> Int {
            let shard = shards.start(isDivisible: true, isChoosing: true)
            if let index = idle.firstIndex(of: shard) {
                idle.remove(at: index)
                shards.idleEnded(in: shard)
            } else {
                opened += 1
            }
            shards.chose(in: shard)
            busy.append(shard)
            return shard
        }

        mutating func end(_ index: Int, keepsConnection: Bool = true) {
            let shard = busy.remove(at: index)
            if keepsConnection {
                idle.append(shard)
                shards.becameIdle(in: shard)
            }
            shards.ended(in: shard, isChoosing: false)
        }

        mutating func closeIdle(_ index: Int) {
            shards.idleEnded(in: idle.remove(at: index))
        }
    }

    @Test("Attempts fill one shard before the next")
    func shardsAreFilledInOrder() {
        var model = Model()
        for index in 0..<Self.capacity * 70 {
            #expect(model.start() == index / Self.capacity)
        }
    }

    @Test("An attempt takes the first place that is free again")
    func firstFreePlaceIsTaken() {
        var model = Model()
        for _ in 0..<Self.capacity * 67 { model.start() }
        // Backwards: the indices of the others don't change.
        for shard in [66, 65, 3, 1] {
            model.end(shard * Self.capacity, keepsConnection: false)
        }
        #expect((0..<5).map { _ in model.start() } == [1, 3, 65, 66, 67])
    }

    @Test("An idle connection in a later shard comes before room in an earlier one")
    func idleConnectionComesFirst() {
        var model = Model()
        for _ in 0..<Self.capacity * 2 { model.start() }
        model.end(Self.capacity)
        for _ in 0..<Self.capacity { model.end(0, keepsConnection: false) }
        #expect(model.start() == 1)
        #expect(model.start() == 0)
    }

    @Test("Two attempts don't count on the same idle connection")
    func idleConnectionIsPromisedOnce() {
        var shards = OriginShards()
        for _ in 0..<Self.capacity {
            #expect(shards.start(isDivisible: true, isChoosing: false) == 0)
        }
        #expect(shards.start(isDivisible: true, isChoosing: false) == 1)
        shards.becameIdle(in: 1)
        shards.ended(in: 1, isChoosing: false)
        for _ in 0..<2 { shards.ended(in: 0, isChoosing: false) }
        #expect(shards.start(isDivisible: true, isChoosing: true) == 1)
        // libcurl has not chosen the connection yet.
        #expect(shards.start(isDivisible: true, isChoosing: true) == 0)
    }

    @Test("An attempt that opens a connection doesn't go to an idle one")
    func openingAttemptNeedsRoom() {
        var shards = OriginShards()
        for _ in 0...Self.capacity { _ = shards.start(isDivisible: true, isChoosing: false) }
        shards.becameIdle(in: 1)
        shards.ended(in: 1, isChoosing: false)
        shards.ended(in: 0, isChoosing: false)
        #expect(shards.hasIdle)
        #expect(shards.start(isDivisible: true, isChoosing: false) == 0)
    }

    @Test("Attempts that may share a connection stay in the first shard")
    func sharingAttemptsStayTogether() {
        var shards = OriginShards()
        for _ in 0..<Self.capacity * 2 {
            #expect(shards.start(isDivisible: false, isChoosing: true) == 0)
        }
        // They count there, too.
        #expect(shards.start(isDivisible: true, isChoosing: true) == 1)
    }

    @Test("An origin is divided only while attempts or idle connections are in other shards")
    func divisionEnds() {
        var model = Model()
        for _ in 0..<Self.capacity { model.start() }
        #expect(!model.shards.isDivided)
        model.start()
        #expect(model.shards.isDivided)
        model.end(Self.capacity)
        #expect(model.shards.isDivided)
        model.closeIdle(0)
        #expect(!model.shards.isDivided)
    }

    @Test("No connection is opened while one is idle, and none exceeds a shard's capacity")
    func randomOrdersKeepRules() {
        for seed in 0..<20 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var model = Model()
            for _ in 0..<4000 {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<6:
                    let (idle, opened) = (model.idle.count, model.opened)
                    model.start()
                    #expect(model.opened == (idle > 0 ? opened : opened + 1))
                case 6..<9 where !model.busy.isEmpty:
                    let index = Int.random(in: 0..<model.busy.count, using: &generator)
                    model.end(index, keepsConnection: Bool.random(using: &generator))
                default:
                    if !model.idle.isEmpty {
                        model.closeIdle(Int.random(in: 0..<model.idle.count, using: &generator))
                    }
                }
            }
            let counts = Dictionary(grouping: model.busy + model.idle) { $0 }.mapValues(\.count)
            #expect(counts.values.allSatisfy { $0 <= Self.capacity })
            while !model.busy.isEmpty { model.end(0) }
            while !model.idle.isEmpty { model.closeIdle(0) }
            #expect(!model.shards.isDivided && !model.shards.hasIdle)
        }
    }
}
