internal import Testing

@testable internal import CurlTransport

@Suite struct CallbackQueueTests {
    @Test func callbacksAddedDuringDeliveryAreDeliveredBySameThread() {
        var queue = CallbackQueue<Int>()
        #expect(queue.begin() == nil)
        queue.append(1)
        queue.append(2)
        #expect(queue.begin() == [1, 2])
        queue.append(3)
        // Another thread, or a callback during delivery, calls `begin()`.
        #expect(queue.begin() == nil)
        #expect(queue.next() == [3])
        #expect(queue.next() == nil)
        queue.append(4)
        #expect(queue.begin() == [4])
        #expect(queue.next() == nil)
    }
}
