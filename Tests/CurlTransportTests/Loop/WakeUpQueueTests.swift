internal import Dispatch
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

    private final class TellingWaker: Waker {
        let (wakings, telling) = AsyncStream<Bool>.makeStream()

        /// Tells whether it is a job of the thread pool that wakes.
        func wake() { telling.yield(withUnsafeCurrentTask { $0 != nil }) }
    }

    @Test func manyAreWokenByTheThreadPool() async {
        let queue = WakeUpQueue()
        let wakers = (0..<20).map { _ in TellingWaker() }
        DispatchQueue.global().async {
            for waker in wakers { queue.append(waker) }
            queue.run(isQuiet: false)
        }
        for waker in wakers {
            let isByPool = await waker.wakings.first { _ in true }
            #expect(isByPool == true)
        }
    }

    @Test func oneAloneIsWokenAtOnce() async {
        let (queue, waker) = (WakeUpQueue(), TellingWaker())
        DispatchQueue.global().async {
            queue.append(waker)
            queue.run(isQuiet: false)
        }
        let isByPool = await waker.wakings.first { _ in true }
        #expect(isByPool == false)
    }
}
