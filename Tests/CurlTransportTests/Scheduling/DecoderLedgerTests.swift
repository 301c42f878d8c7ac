internal import Testing

@testable internal import CurlTransport

@Suite struct DecoderLedgerTests {
    /// A ledger of which loop 0 has taken `size` bytes.
    private func ledger(limit: Int, taken size: Int) -> DecoderLedger {
        var ledger = DecoderLedger(limit: limit)
        let isTaken = ledger.take(size, for: 0)
        #expect(isTaken)
        return ledger
    }

    /// Makes loops ask for memory that isn't there.
    private func wait(_ size: Int, _ loops: Int..., for ledger: inout DecoderLedger) {
        for loop in loops {
            let isTaken = ledger.take(size, for: loop)
            #expect(!isTaken)
        }
    }

    @Test("A loop that waits takes memory before loops that ask later and need less")
    func largeNeedComesFirst() {
        var ledger = ledger(limit: 20, taken: 2)
        wait(19, 1, for: &ledger)
        wait(2, 0, for: &ledger)
        let precedes = ledger.takeTurn(2, for: 0, isLast: true)
        #expect(!precedes)
        #expect(ledger.next == 1)
        ledger.release(2)
        let isLargeTaken = ledger.takeTurn(19, for: 1, isLast: true)
        #expect(isLargeTaken)
        #expect(ledger.next == 0)
        let exceeds = ledger.takeTurn(2, for: 0, isLast: true)
        #expect(!exceeds)
        ledger.release(19)
        let isTaken = ledger.takeTurn(2, for: 0, isLast: true)
        #expect(isTaken)
        #expect(ledger.next == nil)
    }

    @Test("Loops with several decoders that wait take turns")
    func loopsTakeTurns() {
        var ledger = ledger(limit: 1, taken: 1)
        wait(1, 0, 1, for: &ledger)
        var order: [Int] = []
        for _ in 0..<4 {
            ledger.release(1)
            guard let next = ledger.next else { break }
            let isTaken = ledger.takeTurn(1, for: next, isLast: false)
            #expect(isTaken)
            order.append(next)
        }
        #expect(order == [0, 1, 0, 1])
        ledger.leave(0)
        #expect(ledger.next == 1)
        ledger.leave(1)
        #expect(ledger.next == nil)
    }

    @Test("A need beyond the limit gets memory when all is free, and only then")
    func needBeyondLimitRunsAlone() {
        var ledger = ledger(limit: 10, taken: 30)
        wait(1, 1, for: &ledger)
        ledger.release(30)
        let isSmallTaken = ledger.takeTurn(1, for: 1, isLast: true)
        #expect(isSmallTaken)
        wait(30, 0, for: &ledger)
        ledger.release(1)
        let isLargeTaken = ledger.takeTurn(30, for: 0, isLast: true)
        #expect(isLargeTaken)
        #expect(ledger.taken == 30)
    }
}
