import Posix
import Testing

@testable import BatchFetch

@Suite struct ResultPaceTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func later(_ time: Duration) -> MonotonicTime { start.advanced(by: time) }

    @Test func firstResultsAreDeliveredAtOnce() {
        #expect(ResultPace(limit: 1024).pause(at: start) == nil)
    }

    @Test func rareResultsAreDeliveredAtOnce() {
        var pace = ResultPace(limit: 1024)
        pace.recordTaken(1, at: start)
        #expect(pace.pause(at: later(.milliseconds(1))) == nil)
    }

    /// The consumer waits for a quarter of the 1,024 results that may be buffered.
    @Test(arguments: [(34, 7_500), (2, 8_000), (256, 1_000), (1024, 1_000)])
    func frequentResultsAreBatchedForAShorterTime(count: Int, microseconds: Int64) {
        var pace = ResultPace(limit: 1024)
        pace.recordTaken(5, at: start)
        pace.recordTaken(count, at: later(.milliseconds(1)))
        let pause = pace.pause(at: later(.microseconds(1_500)))
        let expected = Duration.microseconds(microseconds)
        #expect(pause.map { abs(($0 - expected) / .microseconds(1)) < 100 } == true)
    }

    @Test func smallLimitDisablesBatching() {
        var pace = ResultPace(limit: 128)
        pace.recordTaken(64, at: start)
        pace.recordTaken(64, at: later(.milliseconds(1)))
        #expect(pace.pause(at: later(.milliseconds(1))) == nil)
    }
}
