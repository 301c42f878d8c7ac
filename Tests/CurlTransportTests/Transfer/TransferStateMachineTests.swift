internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite struct TransferStateMachineTests {
    private enum Event: CaseIterable {
        case start, body, hopSucceeded, hopFailed, repeats, redirectAccepted, redirectAsked
        case redirectFollowed, redirectRefused, trustAsked, trustAnswered, stop
    }

    /// Plays events against a machine and keeps count of what it answers.
    private struct Play {
        var machine = TransferStateMachine()
        var starts = 0
        var completions = 0
        /// Whether a hop is in the multi handle, as a driver would know.
        var hasHop = false
        var faults: [String] = []

        mutating func play(_ event: Event) {
            let wasCompleted = machine.isCompleted
            let before = completions
            apply(event)
            if wasCompleted, completions != before { faults.append("completed again by \(event)") }
            if wasCompleted, !machine.isCompleted { faults.append("woken by \(event)") }
            if !wasCompleted, machine.isCompleted, completions != before + 1 {
                faults.append("completed by \(event) without an action")
            }
            if machine.isFlowing, !hasHop { faults.append("under way without a hop: \(event)") }
        }

        private mutating func apply(_ event: Event) {
            switch event {
            case .start:
                guard machine.start() else { return }
                if hasHop { faults.append("started beside a hop") }
                if completions > 0 { faults.append("started after completion") }
                starts += 1
                hasHop = true
            case .body:
                guard hasHop else { return }
                let action = machine.bodyArrived(10_000)
                if completions > 0, action != .abort { faults.append("\(action) when completed") }
            case .hopSucceeded, .hopFailed:
                guard hasHop else { return }
                hasHop = false
                let end =
                    event == .hopFailed ? .failure(.cancelled) : TransferStateMachine.HopEnd.success
                if case .complete = machine.hopEnded(end) { completions += 1 }
            case .repeats:
                guard hasHop, machine.hopWillRepeat() else { return }
                hasHop = false
            case .redirectAccepted: if hasHop { machine.redirectAccepted() }
            case .redirectAsked: if hasHop { machine.redirectAsked() }
            case .redirectFollowed, .redirectRefused:
                switch machine.redirectAnswered(follows: event == .redirectFollowed) {
                case .none: break
                case .startNextHop: hasHop = false
                case .deliver: if !hasHop { faults.append("delivers without a hop") }
                case .deliverAndComplete: completions += 1
                }
            case .trustAsked:
                guard hasHop, machine.trustAsked() else { return }
                hasHop = false
            case .trustAnswered: _ = machine.trustAnswered()
            case .stop:
                guard machine.stop() else { return }
                completions += 1
                hasHop = false
            }
        }
    }

    @Test(arguments: 0..<20)
    func whateverHappensItCompletesExactlyOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            var play = Play()
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                guard let event = Event.allCases.randomElement(using: &random) else { continue }
                // Rarely, so that most plays get further than that.
                if event == .stop, !random.isOne(in: 10) { continue }
                play.play(event)
            }
            play.play(.stop)
            #expect(play.faults == [])
            #expect(play.completions == 1)
            play.play(.start)
            #expect(play.faults == [])
        }
    }

    /// A machine whose hop runs.
    private func running() -> TransferStateMachine {
        var machine = TransferStateMachine()
        _ = machine.start()
        return machine
    }

    @Test func aRedirectsBodyIsReadWithinBounds() {
        var machine = running()
        machine.redirectAccepted()
        let within = machine.bodyArrived(TransferStateMachine.maximumDiscarded)
        #expect(within == .discard)
        let beyond = machine.bodyArrived(1)
        #expect(beyond == .abort)
        let end = machine.hopEnded(.failure(.cancelled))
        #expect(end == .startNextHop)
    }

    @Test func aQuestionOutlivesItsHop() {
        var machine = running()
        machine.redirectAsked()
        let body = machine.bodyArrived(1)
        #expect(body == .pause)
        let end = machine.hopEnded(.success)
        #expect(end == .wait)
        let answers = [
            machine.redirectAnswered(follows: false), machine.redirectAnswered(follows: true),
        ]
        #expect(answers == [.deliverAndComplete(nil), .none])
    }

    @Test func anAnswerThatNobodyAskedForIsIgnored() {
        var machine = TransferStateMachine()
        let early = machine.redirectAnswered(follows: true)
        #expect(early == .none)
        let started = [machine.trustAnswered(), machine.start(), machine.trustAnswered()]
        #expect(started == [false, true, false])
        let late = machine.redirectAnswered(follows: false)
        #expect(late == .none)
        let end = machine.hopEnded(.success)
        #expect(end == .complete(nil))
        let stopped = machine.stop()
        #expect(!stopped)
    }
}
