internal import Testing

@testable internal import CurlTransport

struct BufferPoolTests {
    private func array(_ capacity: Int) -> [UInt8] {
        var array: [UInt8] = [1, 2, 3]
        array.reserveCapacity(capacity)
        return array
    }

    @Test func recycledBufferIsReturnedEmpty() {
        let memory = BufferPool()
        #expect(memory.take().capacity == 0)
        var given = array(1_000)
        memory.recycle(&given)
        #expect(given.isEmpty)
        let taken = memory.take()
        #expect(taken.isEmpty)
        #expect(taken.capacity >= 1_000)
        #expect(memory.take().capacity == 0)
    }

    @Test func recycledBufferWithOtherReferenceIsCopied() {
        let memory = BufferPool()
        var given = array(1_000)
        let kept = given
        memory.recycle(&given)
        var taken = memory.take()
        taken.append(contentsOf: [7, 8, 9])
        #expect(kept == [1, 2, 3])
    }

    @Test func largeOrExcessBuffersAreNotPooled() {
        let memory = BufferPool()
        var large = array(BufferPool.largest + 1)
        memory.recycle(&large)
        #expect(memory.take().capacity == 0)
        // The bytes that were taken don't count any more.
        for _ in 0..<2 {
            for _ in 0..<1500 {
                var given = array(1000)
                memory.recycle(&given)
            }
            var capacities: [Int] = []
            while let capacity = Optional(memory.take().capacity), capacity > 0 {
                capacities.append(capacity)
            }
            let byteCount = capacities.reduce(0, +)
            #expect(byteCount <= BufferPool.maximumBytes)
            #expect(byteCount + 2000 > BufferPool.maximumBytes)
        }
    }

    @Test func closedPoolKeepsNothing() {
        let memory = BufferPool()
        var given = array(100)
        memory.recycle(&given)
        memory.close()
        #expect(memory.take().capacity == 0)
        given = array(100)
        memory.recycle(&given)
        #expect(memory.take().capacity == 0)
    }
}
