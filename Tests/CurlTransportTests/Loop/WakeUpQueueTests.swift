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
        queue.appendPatient(waker, mayPause: false)
        #expect(queue.patientPause == 0)
        queue.run(isQuiet: false)
        #expect(waker.count == 0)
        queue.run(isQuiet: true)
        #expect(waker.count == 1)
        #expect(queue.patientPause == nil)
        queue.run(isQuiet: true)
        #expect(waker.count == 1)
    }

    @Test func noneIsForgottenWhileOthersKeepTheLoopBusy() {
        let (queue, waker) = (WakeUpQueue(), CountingWaker())
        queue.appendPatient(waker, mayPause: true)
        for _ in 0..<WakeUpQueue.patience { queue.run(isQuiet: false) }
        #expect(waker.count == 1)
    }

    @Test func nothingIsWaitedForWhereOneIsLessPatient() {
        let (queue, wakers) = (WakeUpQueue(), (0..<3).map { _ in CountingWaker() })
        #expect(queue.patientPause == nil)
        queue.appendPatient(wakers[0], mayPause: true)
        #expect(queue.patientPause == WakeUpQueue.pause)
        queue.appendPatient(wakers[1], mayPause: false)
        queue.appendPatient(wakers[2], mayPause: true)
        #expect(queue.patientPause == 0)
        queue.run(isQuiet: true)
        #expect(wakers.map(\.count) == [1, 1, 1])
        queue.appendPatient(wakers[0], mayPause: true)
        #expect(queue.patientPause == WakeUpQueue.pause)
    }
}
