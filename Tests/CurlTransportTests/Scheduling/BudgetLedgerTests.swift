internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite struct BudgetLedgerTests {
    @Test(arguments: 0..<20)
    func placeCountIsConstant(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let places = Int.random(in: 1...5, using: &random)
        var ledger = BudgetLedger(places)
        var held = [Int](repeating: 0, count: 4)
        var notified = [Int](repeating: 0, count: 4)
        for _ in 0..<5_000 {
            let loop = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                if ledger.take(for: loop) { held[loop] += 1 }
            case 1 where held[loop] > 0:
                held[loop] -= 1
                if let next = ledger.release() { notified[next] += 1 }
            case 2 where notified[loop] > 0:
                notified[loop] = 0
                for next in ledger.releaseReserved(for: loop) { notified[next] += 1 }
            default:
                break
            }
            #expect(held.reduce(0, +) <= places)
        }
        for loop in 0..<4 {
            for _ in 0..<held[loop] { _ = ledger.release() }
        }
        // Places kept for a loop are passed on until they are free.
        for _ in 0..<100 {
            for loop in 0..<4 { _ = ledger.releaseReserved(for: loop) }
        }
        #expect(ledger.available == places)
    }

    @Test func waitingLoopPrecedesReleasingLoop() {
        var ledger = BudgetLedger(1)
        let first = [ledger.take(for: 0), ledger.take(for: 1)]
        #expect(first == [true, false])
        let notified = ledger.release()
        #expect(notified == 1)
        let then = [ledger.take(for: 0), ledger.take(for: 1)]
        #expect(then == [false, true])
        let notifiedNext = ledger.release()
        #expect(notifiedNext == 0)
    }

    @Test func releasedReservationGoesToNextLoop() {
        var ledger = BudgetLedger(1)
        let first = (0..<3).map { ledger.take(for: $0) }
        #expect(first == [true, false, false])
        let notified = ledger.release()
        #expect(notified == 1)
        let passedOn = ledger.releaseReserved(for: 1)
        #expect(passedOn == [2])
        let taken = ledger.take(for: 2)
        #expect(taken)
        let noLoop = ledger.release()
        #expect(noLoop == nil)
        #expect(ledger.available == 1)
    }
}
