internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite struct TransferStateMachineTests {
    private enum Event: CaseIterable {
        case start, body, attemptSucceeded, attemptFailed, repeats, redirectAccepted, redirectAsked
        case redirectFollowed, redirectRefused, trustAsked, trustAnswered, stop
    }

    /// Sends events to a state machine and counts its answers.
    private struct Play {
        var machine = TransferStateMachine()
        var starts = 0
        var completions = 0
        /// Whether an attempt is in the multi handle, as a loop would know.
        var hasAttempt = false
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
            if machine.isFlowing, !hasAttempt {
                faults.append("in flight without an attempt: \(event)")
            }
        }

        private mutating func apply(_ event: Event) {
            switch event {
            case .start:
                guard machine.start() else { return }
                if hasAttempt { faults.append("started beside an attempt") }
                if completions > 0 { faults.append("started after completion") }
                starts += 1
                hasAttempt = true
            case .body:
                guard hasAttempt else { return }
                let action = machine.bodyArrived(10_000)
                if completions > 0, action != .abort { faults.append("\(action) when completed") }
            case .attemptSucceeded, .attemptFailed:
                guard hasAttempt else { return }
                hasAttempt = false
                let end =
                    event == .attemptFailed
                    ? .failure(.cancelled) : TransferStateMachine.AttemptEnd.success
                if case .complete = machine.attemptEnded(end) { completions += 1 }
            case .repeats:
                guard hasAttempt, machine.attemptWillRepeat() else { return }
                hasAttempt = false
            case .redirectAccepted: if hasAttempt { machine.redirectAccepted() }
            case .redirectAsked: if hasAttempt { machine.redirectAsked() }
            case .redirectFollowed, .redirectRefused:
                switch machine.redirectAnswered(follows: event == .redirectFollowed) {
                case .none: break
                case .startNextAttempt: hasAttempt = false
                case .deliver: if !hasAttempt { faults.append("delivers without an attempt") }
                case .deliverAndComplete: completions += 1
                }
            case .trustAsked:
                guard hasAttempt, machine.trustAsked() else { return }
                hasAttempt = false
            case .trustAnswered: _ = machine.trustAnswered()
            case .stop:
                guard machine.stop() else { return }
                completions += 1
                hasAttempt = false
            }
        }
    }

    @Test(arguments: 0..<20)
    func everyEventSequenceCompletesExactlyOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            var play = Play()
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                guard let event = Event.allCases.randomElement(using: &random) else { continue }
                // Rarely, so that most runs get further.
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

    /// A state machine whose attempt is running.
    private func running() -> TransferStateMachine {
        var machine = TransferStateMachine()
        _ = machine.start()
        return machine
    }

    @Test func redirectBodyIsReadUpToLimit() {
        var machine = running()
        machine.redirectAccepted()
        let within = machine.bodyArrived(TransferStateMachine.maximumDiscarded)
        #expect(within == .discard)
        let beyond = machine.bodyArrived(1)
        #expect(beyond == .abort)
        let end = machine.attemptEnded(.failure(.cancelled))
        #expect(end == .startNextAttempt)
    }

    @Test func pendingRedirectDecisionOutlivesItsAttempt() {
        var machine = running()
        machine.redirectAsked()
        let body = machine.bodyArrived(1)
        #expect(body == .pause)
        let end = machine.attemptEnded(.success)
        #expect(end == .wait)
        let answers = [
            machine.redirectAnswered(follows: false), machine.redirectAnswered(follows: true),
        ]
        #expect(answers == [.deliverAndComplete(nil), .none])
    }

    @Test func unrequestedDecisionIsIgnored() {
        var machine = TransferStateMachine()
        let early = machine.redirectAnswered(follows: true)
        #expect(early == .none)
        let started = [machine.trustAnswered(), machine.start(), machine.trustAnswered()]
        #expect(started == [false, true, false])
        let late = machine.redirectAnswered(follows: false)
        #expect(late == .none)
        let end = machine.attemptEnded(.success)
        #expect(end == .complete(nil))
        let stopped = machine.stop()
        #expect(!stopped)
    }
}
