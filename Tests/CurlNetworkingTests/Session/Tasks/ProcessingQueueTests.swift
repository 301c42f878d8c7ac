internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Tests the queue that serializes responses.
@Suite(.timeLimit(.minutes(10))) struct ProcessingQueueTests {
    @Test("Q-05: Responses are serialized concurrently, up to the queue's width")
    func serializationIsConcurrentUpToTheWidth() async throws {
        let width = 3
        let queue = ProcessingQueue(width: width)
        let counts = Watched((now: 0, most: 0, done: 0))
        let gate = Gate()
        for _ in 0..<50 {
            queue.async {
                counts.update { counts in
                    counts.now += 1
                    counts.most = max(counts.most, counts.now)
                }
                gate.waitBlocking()
                counts.update { counts in
                    counts.now -= 1
                    counts.done += 1
                }
            }
        }
        // The queue runs `width` blocks, all of which wait for the gate.
        try await counts.wait { $0.now == width ? () : nil }
        gate.open()
        try await counts.wait { $0.done == 50 ? () : nil }
        #expect(counts.read { $0.most } == width)
    }

    @Test("Q-05: A queue that was empty continues with later blocks, in order")
    func emptyQueueContinuesWithLaterBlocks() async throws {
        let queue = ProcessingQueue(width: 1)
        let order = EventRecorder<Int>()
        for number in 0..<100 { queue.async { order.record(number) } }
        #expect(try await order.wait(count: 100) == Array(0..<100))
        queue.async { order.record(100) }
        #expect(try await order.wait(count: 101).last == 100)
    }
}
