import Posix
import Testing

@testable import BatchFleet

/// How fast results come, and how long a worker waits between two exchanges with the database.
@Suite struct WorkPaceTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func moment(_ milliseconds: Int) -> MonotonicTime {
        start.advanced(by: .milliseconds(milliseconds))
    }

    @Test("The rate follows the results, and old ones count no more")
    func rateFollowsResults() {
        var pace = WorkPace(at: start)
        #expect(pace.rate == 0)
        pace.add(100, at: moment(10))
        #expect(Int(pace.rate.rounded()) == 2000, "a fifth of 10,000")
        pace.add(500, at: moment(110))
        #expect(pace.rate == 5000)
        #expect(pace.count(in: .milliseconds(20)) == 100)
        pace.add(7, at: moment(110))
        #expect(pace.rate == 5000, "no time has passed")
        pace.add(0, at: moment(160))
        #expect(pace.rate == 0)
    }

    @Test("The pause is short while results are many, or the worker may need URLs soon")
    func pauseFollowsRate() {
        var state = WorkerState(worker: 1)
        state.pace = WorkPace(at: start)
        #expect(state.pause == .milliseconds(20))
        state.hasNewURLs = true
        #expect(state.pause == .milliseconds(5))
        state.hasNewURLs = false
        state.isShort = true
        #expect(state.pause == .milliseconds(5))
        state.isShort = false
        // 32 in 20 ms.
        for (count, pause) in [(160, 5), (159, 20)] {
            state.pace = WorkPace(at: start)
            state.pace.add(count, at: moment(100))
            #expect(state.pause == .milliseconds(pause))
        }
    }
}
