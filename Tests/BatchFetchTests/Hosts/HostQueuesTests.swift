import Posix
import TestSupport
import Testing

@testable import BatchFetch

@Suite struct HostQueuesTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func later(_ seconds: Int64) -> MonotonicTime { start.advanced(by: .seconds(seconds)) }

    @Test func hostsTakeTurns() {
        var queues = HostQueues<String>(limitPerHost: 10)
        for item in ["a1", "a2", "a3", "b1", "c1", "c2"] {
            queues.add(item, host: String(item.prefix(1)))
        }
        var order: [String] = []
        while let item = queues.next(at: start) { order.append(item) }
        #expect(order == ["a1", "b1", "c1", "a2", "c2", "a3"])
    }

    @Test func hostAtItsLimitDelaysNoOtherHost() {
        var queues = HostQueues<Int>(limitPerHost: 2)
        for item in 0..<1000 { queues.add(item, host: "slow") }
        #expect(queues.next(at: start) == 0)
        #expect(queues.next(at: start) == 1)
        #expect(queues.next(at: start) == nil)
        queues.add(1000, host: "quick")
        #expect(queues.next(at: start) == 1000)
        #expect(queues.next(at: start) == nil)
        queues.finished(host: "slow")
        #expect(queues.next(at: start) == 2)
        #expect(queues.next(at: start) == nil)
        #expect(queues.waitingCount == 997)
    }

    @Test func hostIsSkippedUntilItsPauseEnds() {
        var queues = HostQueues<Int>(limitPerHost: 2)
        queues.hold(host: "a", until: later(5))
        queues.hold(host: "a", until: later(9))
        queues.hold(host: "a", until: later(7))
        queues.add(1, host: "a")
        queues.add(2, host: "b")
        #expect(queues.next(at: start) == 2)
        #expect(queues.next(at: later(8)) == nil)
        #expect(queues.nextHoldEnd == later(9))
        #expect(queues.next(at: later(9)) == 1)
        #expect(queues.nextHoldEnd == nil)
    }

    @Test func itemAddedAsFirstIsStartedFirst() {
        var queues = HostQueues<Int>(limitPerHost: 1)
        queues.add(1, host: "a")
        queues.add(2, host: "a")
        queues.add(0, host: "a", isFirst: true)
        #expect(queues.next(at: start) == 0)
    }

    @Test func idleHostsAreRemoved() {
        var queues = HostQueues<Int>(limitPerHost: 1)
        for number in 0..<10_000 {
            queues.add(number, host: "host \(number)")
            #expect(queues.next(at: start) == number)
            queues.finished(host: "host \(number)")
        }
        #expect(queues.hostCount == 0)
    }

    @Test func removingAllReturnsTheQueuedItems() {
        var queues = HostQueues<Int>(limitPerHost: 1)
        for item in 0..<5 { queues.add(item, host: item < 3 ? "a" : "b") }
        #expect(queues.next(at: start) == 0)
        queues.hold(host: "b", until: later(1))
        #expect(queues.removeAllWaiting().sorted() == [1, 2, 3, 4])
        #expect(queues.waitingCount == 0)
        #expect(queues.next(at: later(2)) == nil)
        queues.finished(host: "a")
        #expect(queues.hostCount == 0)
    }

    /// For any order of events: no item is lost or delivered twice, and no limit is exceeded.
    @Test(arguments: 0..<20)
    func randomEventsKeepTheLimitsAndLoseNoItem(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queues = HostQueues<Int>(limitPerHost: 3)
        var running: [Int: [Int]] = [:]
        var seen: Set<Int> = []
        var added = 0
        var now = start
        for _ in 0..<5000 {
            let host = Int.random(in: 0..<7, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4:
                queues.add(added * 10 + host, host: "\(host)", isFirst: added % 5 == 0)
                added += 1
            case 4..<7:
                guard let item = queues.next(at: now) else { continue }
                #expect(seen.insert(item).inserted)
                running[item % 10, default: []].append(item)
                #expect(running[item % 10, default: []].count <= 3)
            case 7..<9:
                guard running[host]?.popLast() != nil else { continue }
                queues.finished(host: "\(host)")
            default:
                queues.hold(host: "\(host)", until: now.advanced(by: .milliseconds(20)))
            }
            now = now.advanced(by: .milliseconds(1))
        }
        #expect(queues.waitingCount == added - seen.count)
        for (host, items) in running { for _ in items { queues.finished(host: "\(host)") } }
        now = now.advanced(by: .seconds(1))
        while let item = queues.next(at: now) {
            #expect(seen.insert(item).inserted)
            queues.finished(host: "\(item % 10)")
        }
        #expect(seen.count == added)
        #expect(queues.hostCount == 0)
    }

    @Test func hostWithALowQueueIsRecorded() {
        var queues = HostQueues<Int>(limitPerHost: 2)
        queues.recordsLowQueues = true
        for item in 1...10 { queues.add(item, host: "a") }
        queues.add(11, host: "b")
        #expect(queues.room(for: "a") == 0)
        #expect(queues.room(for: "b") == 3)
        #expect(queues.room(for: "new") == 4)
        // A queue keeps twice its limit of two; an item that isn't movable stays, with all before
        // it.
        #expect(queues.removeExcess { $0 != 7 } == [8, 9, 10])
        #expect(queues.removeExcess { _ in true } == [5, 6, 7])
        #expect(queues.waitingCount == 5)
        #expect(!queues.hasLowQueues)
        var items: [Int] = []
        while let item = queues.next(at: start) { items.append(item) }
        #expect(items.sorted() == [1, 2, 11])
        #expect(queues.takeLowQueues().sorted() == ["a", "b"])
        #expect(queues.room(for: "a") == 2)
        queues.finished(host: "a", at: start)
        #expect(queues.next(at: start) == 3)
        #expect(!queues.hasLowQueues)
        #expect(queues.removeWaiting(host: "a") == [4])
        #expect(queues.takeLowQueues() == ["a"])
    }
}
