internal import Synchronization
internal import Testing

@testable internal import CurlTransport

struct WakeUpQueueTests {
    private final class CountingWaker: Waker {
        private let wakings = Mutex(0)

        var count: Int { wakings.withLock { $0 } }

        func wake() { wakings.withLock { $0 += 1 } }
    }

    @Test func whoeverIsInAHurryIsWokenAtTheEndOfTheTurn() {
        let (queue, waker) = (WakeUpQueue(), CountingWaker())
        queue.append(waker)
        queue.run(isQuiet: false)
        queue.run(isQuiet: true)
        #expect(waker.count == 1)
    }

    @Test func whoeverIsPatientIsWokenWhenNothingMoreIsReady() {
        let (queue, waker) = (WakeUpQueue(), CountingWaker())
        queue.appendPatient(waker)
        #expect(queue.hasPatient)
        queue.run(isQuiet: false)
        #expect(waker.count == 0)
        queue.run(isQuiet: true)
        #expect(waker.count == 1)
        #expect(!queue.hasPatient)
        queue.run(isQuiet: true)
        #expect(waker.count == 1)
    }

    @Test func noneIsForgottenWhileOthersKeepTheLoopBusy() {
        let (queue, waker) = (WakeUpQueue(), CountingWaker())
        queue.appendPatient(waker)
        for _ in 0..<WakeUpQueue.patience { queue.run(isQuiet: false) }
        #expect(waker.count == 1)
    }
}
