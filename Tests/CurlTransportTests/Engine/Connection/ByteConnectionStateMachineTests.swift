import TestSupport
import Testing

@testable import CurlTransport

@Suite struct ByteConnectionStateMachineTests {
    private func opened() -> ByteConnectionStateMachine {
        var machine = ByteConnectionStateMachine()
        _ = machine.start()
        _ = machine.open()
        return machine
    }

    @Test func closeBeforeOpenCompletesImmediately() {
        var waiting = ByteConnectionStateMachine()
        #expect(waiting.close(awaitsPeer: true, isDrained: true) == .complete)
        #expect(waiting.start() == false)
        var connecting = ByteConnectionStateMachine()
        #expect(connecting.start() == true)
        #expect(connecting.close(awaitsPeer: false, isDrained: true) == .complete)
        #expect(connecting.open() == false)
    }

    @Test func closeSendsQueuedBytes() {
        var machine = opened()
        #expect(machine.close(awaitsPeer: false, isDrained: false) == .none)
        #expect(!machine.isReceiving)
        #expect(machine.drained() == .complete)
        #expect(machine.drained() == .none)
    }

    @Test func closeWaitsForPeersEnd() {
        var machine = opened()
        #expect(machine.close(awaitsPeer: true, isDrained: true) == .none)
        #expect(machine.isReceiving)
        #expect(machine.peerEnded(isDrained: true) == .complete)
    }

    @Test func peersEndMayPrecedeSentBytes() {
        var machine = opened()
        #expect(machine.close(awaitsPeer: true, isDrained: false) == .none)
        #expect(machine.peerEnded(isDrained: false) == .notifyEnd)
        #expect(machine.drained() == .complete)
    }

    @Test func bothSidesEndInEitherOrder() {
        var machine = opened()
        #expect(machine.finishSending(isDrained: false) == .none)
        #expect(machine.drained() == .finishSending)
        #expect(machine.drained() == .none)
        #expect(machine.isReceiving)
        #expect(machine.peerEnded(isDrained: true) == .complete)

        var other = opened()
        #expect(other.peerEnded(isDrained: true) == .notifyEnd)
        #expect(other.peerEnded(isDrained: true) == .none)
        #expect(!other.isReceiving)
        #expect(other.finishSending(isDrained: true) == .complete)
    }

    @Test func closeWithoutWaitingIsNotOverridden() {
        var machine = opened()
        _ = machine.close(awaitsPeer: false, isDrained: false)
        #expect(machine.close(awaitsPeer: true, isDrained: false) == .none)
        #expect(machine.drained() == .complete)
    }

    @Test func attemptIsRetriedOnlyWhileConnecting() {
        var machine = ByteConnectionStateMachine()
        #expect(machine.willRepeat() == false)
        #expect(machine.start() == true)
        #expect(machine.willRepeat() == true)
        #expect(machine.start() == true)
        #expect(machine.trustAsked() == true)
        #expect(machine.willRepeat() == false)
        #expect(machine.open() == true)
        #expect(machine.open() == false)
    }

    /// Any order of events completes once, and no action follows the completion.
    @Test(arguments: 0..<8)
    func anyOrderOfEventsCompletesOnce(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<400 {
            var machine = ByteConnectionStateMachine()
            var completions = 0
            func note(_ action: ByteConnectionStateMachine.Action) {
                if completions > 0 { #expect(action == .none) }
                if action == .complete { completions += 1 }
            }
            for _ in 0..<Int.random(in: 1..<24, using: &generator) {
                let isDrained = Bool.random(using: &generator)
                switch Int.random(in: 0..<9, using: &generator) {
                case 0: _ = machine.start()
                case 1: _ = machine.willRepeat()
                case 2: _ = machine.trustAsked()
                case 3: _ = machine.open()
                case 4: note(machine.finishSending(isDrained: isDrained))
                case 5:
                    let awaits = Bool.random(using: &generator)
                    note(machine.close(awaitsPeer: awaits, isDrained: isDrained))
                case 6: note(machine.drained())
                case 7: note(machine.peerEnded(isDrained: isDrained))
                default:
                    if generator.isOne(in: 4), machine.stop() {
                        #expect(completions == 0)
                        completions += 1
                    }
                }
                #expect((machine.state == .completed) == (completions == 1))
            }
            if machine.stop() { completions += 1 }
            #expect(completions == 1)
        }
    }
}
