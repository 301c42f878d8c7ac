internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite struct BudgetLedgerTests {
    @Test(arguments: 0..<20)
    func placesAreNeitherLostNorMade(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let places = Int.random(in: 1...5, using: &random)
        var ledger = BudgetLedger(places)
        var held = [Int](repeating: 0, count: 4)
        var told = [Int](repeating: 0, count: 4)
        for _ in 0..<5_000 {
            let loop = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                if ledger.take(for: loop) { held[loop] += 1 }
            case 1 where held[loop] > 0:
                held[loop] -= 1
                if let next = ledger.giveBack() { told[next] += 1 }
            case 2 where told[loop] > 0:
                told[loop] = 0
                for next in ledger.giveBackKept(for: loop) { told[next] += 1 }
            default:
                break
            }
            #expect(held.reduce(0, +) <= places)
        }
        for loop in 0..<4 {
            for _ in 0..<held[loop] { _ = ledger.giveBack() }
        }
        // Whatever is kept for somebody is passed on until it is free.
        for _ in 0..<100 {
            for loop in 0..<4 { _ = ledger.giveBackKept(for: loop) }
        }
        #expect(ledger.available == places)
    }

    @Test func aLoopThatWaitsIsServedBeforeTheOneThatGaveBack() {
        var ledger = BudgetLedger(1)
        let first = [ledger.take(for: 0), ledger.take(for: 1)]
        #expect(first == [true, false])
        let told = ledger.giveBack()
        #expect(told == 1)
        let then = [ledger.take(for: 0), ledger.take(for: 1)]
        #expect(then == [false, true])
        let toldThen = ledger.giveBack()
        #expect(toldThen == 0)
    }

    @Test func aLoopThatHasNoUseForItPassesItOn() {
        var ledger = BudgetLedger(1)
        let first = (0..<3).map { ledger.take(for: $0) }
        #expect(first == [true, false, false])
        let told = ledger.giveBack()
        #expect(told == 1)
        let passedOn = ledger.giveBackKept(for: 1)
        #expect(passedOn == [2])
        let taken = ledger.take(for: 2)
        #expect(taken)
        let nobody = ledger.giveBack()
        #expect(nobody == nil)
        #expect(ledger.available == 1)
    }
}
