import Posix
import Testing

@testable import BatchFetchCommand

/// What each signal to end does.
@Suite struct EndingSignalsTests {
    private func effects(_ signals: [(number: Int32, time: Int)]) -> [EndingSignals.Effect] {
        var state = EndingSignals()
        let start = MonotonicTime(nanoseconds: 7)
        return signals.map { signal in
            state.receive(
                signal.number,
                at: start.advanced(by: .milliseconds(signal.time))
            )
        }
    }

    @Test("The first signal stops the run, the second cancels it, and the third ends the process")
    func signalsHaveGrowingEffects() {
        let expected: [EndingSignals.Effect] = [.stop, .cancel, .endProcess, .endProcess]
        #expect(effects([(2, 0), (2, 500), (2, 1000), (2, 1500)]) == expected)
    }

    @Test("The same signal twice within half a second counts once, as timeout sends it")
    func repeatedSignalCountsOnce() {
        #expect(effects([(15, 0), (15, 1), (15, 499)]) == [.stop, .nothing, .nothing])
        #expect(
            effects([(15, 0), (15, 3), (15, 800), (15, 803)])
                == [.stop, .nothing, .cancel, .nothing]
        )
    }

    @Test("Another signal counts at once")
    func otherSignalCountsAtOnce() {
        #expect(effects([(2, 0), (15, 1), (2, 2)]) == [.stop, .cancel, .endProcess])
    }

    @Test("The last signal that counted determines the exit status")
    func lastSignalIsKnown() {
        var state = EndingSignals()
        #expect(state.last == nil)
        for (number, time) in [(2, 0), (15, 1), (15, 2)] as [(Int32, Int64)] {
            _ = state.receive(number, at: MonotonicTime(nanoseconds: time))
        }
        #expect(state.last == 15)
    }
}
