internal import Testing

@testable internal import CurlTransport

struct SpareMemoryTests {
    private func array(_ capacity: Int) -> [UInt8] {
        var array: [UInt8] = [1, 2, 3]
        array.reserveCapacity(capacity)
        return array
    }

    @Test func whatIsGivenBackIsTakenAgainEmpty() {
        let memory = SpareMemory()
        #expect(memory.take().capacity == 0)
        var given = array(1_000)
        memory.takeBack(&given)
        #expect(given.isEmpty)
        let taken = memory.take()
        #expect(taken.isEmpty)
        #expect(taken.capacity >= 1_000)
        #expect(memory.take().capacity == 0)
    }

    @Test func whoeverHasTheBytesTooKeepsThem() {
        let memory = SpareMemory()
        var given = array(1_000)
        let kept = given
        memory.takeBack(&given)
        var taken = memory.take()
        taken.append(contentsOf: [7, 8, 9])
        #expect(kept == [1, 2, 3])
    }

    @Test func neitherLargeNorManyArraysAreKept() {
        let memory = SpareMemory()
        var large = array(SpareMemory.largest + 1)
        memory.takeBack(&large)
        #expect(memory.take().capacity == 0)
        for _ in 0..<(SpareMemory.maximumCount + 5) {
            var given = array(100)
            memory.takeBack(&given)
        }
        var count = 0
        while memory.take().capacity > 0 { count += 1 }
        #expect(count == SpareMemory.maximumCount)
    }

    @Test func nothingIsKeptOnceItIsClosed() {
        let memory = SpareMemory()
        var given = array(100)
        memory.takeBack(&given)
        memory.close()
        #expect(memory.take().capacity == 0)
        given = array(100)
        memory.takeBack(&given)
        #expect(memory.take().capacity == 0)
    }
}
