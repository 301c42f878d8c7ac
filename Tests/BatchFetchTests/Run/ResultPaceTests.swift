import Curl
import Testing

@testable import BatchFetch

@Suite struct ResultPaceTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func later(_ time: Duration) -> MonotonicTime { start.advanced(by: time) }

    @Test func theFirstResultsAreHandedOnAtOnce() {
        #expect(ResultPace(limit: 1024).pause(at: start) == nil)
    }

    @Test func resultsThatComeSeldomAreHandedOnAtOnce() {
        var pace = ResultPace(limit: 1024)
        pace.took(1, at: start)
        #expect(pace.pause(at: later(.milliseconds(1))) == nil)
    }

    /// Of 1,024 that may wait, a quarter is gathered.
    @Test(arguments: [(34, 7_500), (2, 8_000), (256, 1_000), (1024, 1_000)])
    func theMoreComeTheShorterTheyAreGathered(count: Int, microseconds: Int64) {
        var pace = ResultPace(limit: 1024)
        pace.took(5, at: start)
        pace.took(count, at: later(.milliseconds(1)))
        let pause = pace.pause(at: later(.microseconds(1_500)))
        let expected = Duration.microseconds(microseconds)
        #expect(pause.map { abs(($0 - expected) / .microseconds(1)) < 100 } == true)
    }

    @Test func whereFewMayWaitNothingIsGathered() {
        var pace = ResultPace(limit: 128)
        pace.took(64, at: start)
        pace.took(64, at: later(.milliseconds(1)))
        #expect(pace.pause(at: later(.milliseconds(1))) == nil)
    }
}
