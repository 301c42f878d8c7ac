internal import CurlTransport
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

@Suite struct ReplayStateTests {
    private typealias Step = ReplayState.Step

    /// Performs steps until the first rest or the end.
    private func performSteps(_ state: inout ReplayState, _ size: Int?) -> [Step] {
        var steps: [Step] = []
        while steps.last != .rest {
            steps.append(state.next(size: size))
            if case .end? = steps.last { break }
        }
        return steps
    }

    @Test func bodyIsDeliveredInChunks() {
        var state = ReplayState()
        #expect(state.start() == true)
        #expect(state.start() == false)
        let share = ReplayState.share
        let steps: [Step] = [
            .response, .bytes(0..<share), .bytes(share..<share + 5), .end(isCancelled: false),
        ]
        #expect(performSteps(&state, share + 5) == steps)
        #expect(state.cancel() == false)
        #expect(state.allow(true) == false)
    }

    @Test func onlyTheEndIsDeliveredWithoutAResponse() {
        var state = ReplayState()
        #expect(state.start() == true)
        #expect(performSteps(&state, nil) == [.end(isCancelled: false)])
    }

    @Test func pausedClientGetsNoFurtherEvents() {
        var state = ReplayState()
        #expect(state.allow(false) == false)
        #expect(state.start() == true)
        #expect(performSteps(&state, 3) == [.rest])
        #expect(state.allow(true) == true)
        #expect(state.allow(true) == false)
        #expect(state.next(size: 3) == .response)
        state.note(.pause, turn: state.turn)
        #expect(performSteps(&state, 3) == [.endTurn, .rest])
        #expect(state.allow(true) == true)
        let turn = state.turn
        #expect(state.next(size: 3) == .bytes(0..<3))
        // Delivery is allowed again before the pause is noted.
        #expect(state.allow(true) == false)
        state.note(.pause, turn: turn)
        #expect(performSteps(&state, 3) == [.end(isCancelled: false)])
    }

    @Test func cancellationEndsTheReplay() {
        var early = ReplayState()
        #expect(early.cancel() == true)
        #expect(performSteps(&early, 3) == [.end(isCancelled: true)])
        #expect(early.start() == false)
        var refused = ReplayState()
        #expect(refused.start() == true)
        #expect(refused.next(size: 3) == .response)
        refused.note(.cancel, turn: refused.turn)
        #expect(performSteps(&refused, 3) == [.end(isCancelled: true)])
    }

    @Test func anyOrderOfCallsDeliversEverythingOnce() {
        var random = SeededGenerator(seed: 31)
        for _ in 0..<5000 {
            var state = ReplayState()
            let size = Int.random(in: 0...(3 * ReplayState.share), using: &random)
            var position = 0
            var ends = 0
            var deliveries = 0
            func deliver(_ step: Step) {
                switch step {
                case .rest: deliveries -= 1
                case .endTurn, .response: break
                case .bytes(let range):
                    #expect(range.lowerBound == position)
                    position = range.upperBound
                case .end(let isCancelled):
                    ends += 1
                    deliveries -= 1
                    #expect(isCancelled || position == size)
                }
            }
            for _ in 0..<20 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: if state.start() { deliveries += 1 }
                case 1: if state.allow(Bool.random(using: &random)) { deliveries += 1 }
                case 2:
                    if Int.random(in: 0..<8, using: &random) == 0, state.cancel() {
                        deliveries += 1
                    }
                default:
                    guard deliveries > 0 else { continue }
                    let turn = state.turn
                    deliver(state.next(size: size))
                    if Bool.random(using: &random) { state.note(.pause, turn: turn) }
                }
                #expect((0...1).contains(deliveries))
            }
            if state.start() { deliveries += 1 }
            if state.allow(true) { deliveries += 1 }
            while deliveries > 0 { deliver(state.next(size: size)) }
            #expect(ends == 1)
        }
    }
}
