import Posix
import TestSupport
import Testing

@testable import BatchFetch

@Suite struct TimedHeapTests {
    @Test(arguments: 0..<10)
    func elementsArePoppedInTheOrderOfTheirTimes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var heap = TimedHeap<Int64>()
        let times = (0..<200).map { _ in Int64.random(in: 0..<100, using: &generator) }
        for time in times { heap.insert(time, at: MonotonicTime(nanoseconds: time)) }
        var order: [Int64] = []
        for now in Int64(0)..<100 {
            while let time = heap.popDue(at: MonotonicTime(nanoseconds: now)) {
                #expect(time == now)
                order.append(time)
            }
        }
        #expect(order == times.sorted())
        #expect(heap.nextTime == nil)
    }
}
