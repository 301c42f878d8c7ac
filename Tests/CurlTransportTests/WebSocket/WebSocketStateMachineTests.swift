import TestSupport
import Testing

@testable import CurlTransport

@Suite struct WebSocketStateMachineTests {
    private func opened() -> WebSocketStateMachine {
        var machine = WebSocketStateMachine()
        _ = machine.connected()
        _ = machine.accepted()
        return machine
    }

    private let violation = WebSocketError.violation(.protocolError("x"))

    @Test func clientClosesAndServerResponds() {
        var machine = opened()
        #expect(machine.close() == .sendAllAndClose)
        #expect(!machine.takesMessages && !machine.isDelivering && machine.isSending)
        machine.closeSent()
        #expect(!machine.isSending)
        #expect(machine.close() == .none)
        #expect(machine.serverClosed(.normalClosure) == .awaitEnd)
        #expect(machine.serverClosed(.goingAway) == .none)
        let end = machine.ended(nil)
        #expect(end?.error == nil && end?.status == .normalClosure)
        #expect(machine.ended(nil) == nil)
    }

    @Test func serverClosesWebSocket() {
        var machine = opened()
        #expect(machine.serverClosed(nil) == .sendClose)
        machine.closeSent()
        let end = machine.ended(TransportError(.connectionLost, phase: .receiving, message: "x"))
        #expect(end?.error == nil && end?.status == .noneReceived)
        #expect(end?.reason == .closed(.noneReceived))
    }

    @Test func serverNeverAnswersClose() {
        var machine = opened()
        _ = machine.close()
        machine.closeSent()
        let end = machine.ended(nil)
        #expect(end?.error == nil && end?.status == .abnormalClosure)
    }

    @Test func violationEndsReceiving() {
        var machine = opened()
        #expect(machine.failed(violation) == .sendClose)
        machine.closeSent()
        #expect(machine.failed(.cancelled) == .none)
        let end = machine.ended(nil)
        #expect(end?.error == violation && end?.status == .protocolError)
    }

    @Test func refusalSendsNoCloseFrame() {
        var machine = WebSocketStateMachine()
        _ = machine.connected()
        let refusal = WebSocketError.refused(statusCode: 404, "x")
        #expect(machine.failed(refusal) == .end(sendsClose: false))
        #expect(machine.accepted() == false)
        #expect(machine.ended(nil)?.error == refusal)
    }

    @Test func cancelSendsCloseFrameOnlyIfOpen() {
        var connecting = WebSocketStateMachine()
        #expect(connecting.cancel() == .end(sendsClose: false))
        #expect(connecting.ended(.cancelled)?.error == .cancelled)
        var machine = opened()
        #expect(machine.cancel() == .end(sendsClose: true))
        #expect(machine.cancel() == .end(sendsClose: false))
        let end = machine.ended(nil)
        #expect(end?.error == .cancelled && end?.status == .abnormalClosure)
    }

    @Test func lostConnectionIsAnError() {
        var machine = opened()
        let end = machine.ended(nil)
        #expect(end?.status == .abnormalClosure)
        guard case .connection(let error) = end?.error else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(error.code == .connectionLost)
        var early = WebSocketStateMachine()
        _ = early.connected()
        guard case .connection(let missing) = early.ended(nil)?.error else {
            Issue.record("no error")
            return
        }
        #expect(missing.code == .emptyReply)
    }

    @Test("A connection lost before the response is an empty reply, and no other failure is")
    func onlyLossBeforeResponseIsAnEmptyReply() {
        let codes: [(TransportError.Code, TransportError.Code)] = [
            (.connectionLost, .emptyReply), (.idleTimeout, .idleTimeout), (.shutdown, .shutdown),
        ]
        for (code, expected) in codes {
            var machine = WebSocketStateMachine()
            _ = machine.connected()
            let end = machine.ended(TransportError(code, phase: .waiting, message: "x"))
            guard case .connection(let error) = end?.error else {
                Issue.record("\(String(describing: end))")
                continue
            }
            #expect(error.code == expected && error.message == "x")
        }
        var unconnected = WebSocketStateMachine()
        let end = unconnected.ended(
            TransportError(.connectionLost, phase: .tcp, message: "x")
        )
        guard case .connection(let error) = end?.error else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(error.code == .connectionLost)
    }

    /// Any order of events yields at most one close frame and one end.
    @Test(arguments: 0..<8) func anyOrderOfEventsEndsOnce(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<400 {
            var machine = WebSocketStateMachine()
            var (closings, ends) = (0, 0)
            func carryOut(_ action: WebSocketStateMachine.Action) {
                switch action {
                case .sendClose:
                    closings += 1
                    machine.closeSent()
                case .end(let sendsClose):
                    if sendsClose { closings += 1 }
                case .sendAllAndClose:
                    #expect(machine.state == .closingSoon)
                case .none, .awaitEnd:
                    break
                }
                #expect(ends == 0 || action == .none)
            }
            for _ in 0..<Int.random(in: 1..<16, using: &generator) {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: _ = machine.connected()
                case 1: _ = machine.accepted()
                case 2: carryOut(machine.close())
                case 3: carryOut(machine.cancel())
                case 4: carryOut(machine.serverClosed(.normalClosure))
                case 5: carryOut(machine.failed(violation))
                case 6:
                    if machine.state == .closingSoon {
                        closings += 1
                        machine.closeSent()
                    }
                default:
                    if generator.isOne(in: 3), machine.ended(nil) != nil { ends += 1 }
                }
                #expect(closings <= 1)
            }
            if machine.ended(nil) != nil { ends += 1 }
            #expect(ends == 1)
            #expect(machine.state == .completed)
        }
    }
}
