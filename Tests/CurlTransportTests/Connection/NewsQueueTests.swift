internal import Testing

@testable internal import CurlTransport

@Suite struct NewsQueueTests {
    @Test func oneThreadTellsWhatAnotherAdds() {
        var queue = NewsQueue<Int>()
        #expect(queue.begin() == nil)
        queue.append(1)
        queue.append(2)
        #expect(queue.begin() == [1, 2])
        queue.append(3)
        // That is another thread's, or a call from what is being told.
        #expect(queue.begin() == nil)
        #expect(queue.next() == [3])
        #expect(queue.next() == nil)
        queue.append(4)
        #expect(queue.begin() == [4])
        #expect(queue.next() == nil)
    }
}
