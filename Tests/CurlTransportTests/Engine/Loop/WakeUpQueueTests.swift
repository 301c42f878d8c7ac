internal import Synchronization
internal import Testing

@testable internal import CurlTransport

struct WakeUpQueueTests {
    private final class CountingWaker: Waker {
        private let wakings = Mutex(0)

        var count: Int { wakings.withLock { $0 } }

        func wake() { wakings.withLock { $0 += 1 } }
    }

    @Test func urgentWakerIsWokenAtEndOfTurn() {
        let (queue, waker) = (WakeUpQueue(), CountingWaker())
        queue.append(waker)
        queue.run(isQuiet: false)
        queue.run(isQuiet: true)
        #expect(waker.count == 1)
    }

    @Test func deferredWakerIsWokenWhenNothingIsReady() {
        let (queue, waker) = (WakeUpQueue(), CountingWaker())
        queue.appendDeferred(waker, mayPause: false)
        #expect(queue.deferredPause == 0)
        queue.run(isQuiet: false)
        #expect(waker.count == 0)
        queue.run(isQuiet: true)
        #expect(waker.count == 1)
        #expect(queue.deferredPause == nil)
        queue.run(isQuiet: true)
        #expect(waker.count == 1)
    }

    @Test func deferredWakerIsWokenInBusyLoopAfterMaximumTurns() {
        let (queue, waker) = (WakeUpQueue(), CountingWaker())
        queue.appendDeferred(waker, mayPause: true)
        for _ in 0..<WakeUpQueue.maximumDeferredTurns { queue.run(isQuiet: false) }
        #expect(waker.count == 1)
    }

    @Test func oneWakerWithoutPauseWakesAllDeferred() {
        let (queue, wakers) = (WakeUpQueue(), (0..<3).map { _ in CountingWaker() })
        #expect(queue.deferredPause == nil)
        queue.appendDeferred(wakers[0], mayPause: true)
        #expect(queue.deferredPause == WakeUpQueue.pause)
        queue.appendDeferred(wakers[1], mayPause: false)
        queue.appendDeferred(wakers[2], mayPause: true)
        #expect(queue.deferredPause == 0)
        queue.run(isQuiet: true)
        #expect(wakers.map(\.count) == [1, 1, 1])
        queue.appendDeferred(wakers[0], mayPause: true)
        #expect(queue.deferredPause == WakeUpQueue.pause)
    }
}
