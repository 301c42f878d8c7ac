import CurlResilience
import TestSupport
import Testing

@Suite struct WaitingLineTests {
    @Test("Requests beyond the limit wait, and are admitted in order")
    func requestsAreAdmittedInOrder() {
        var line = WaitingLine()
        #expect(line.enter(limit: 1, maximumQueued: 2) == .admitted)
        #expect(line.enter(limit: 1, maximumQueued: 2) == .queued(1))
        #expect(line.enter(limit: 1, maximumQueued: 2) == .queued(2))
        #expect(line.enter(limit: 1, maximumQueued: 2) == .refused)
        #expect(line.admitNext(limit: 1) == nil)
        line.leave()
        #expect(line.admitNext(limit: 1) == 1)
        #expect(line.admitNext(limit: 2) == 2)
        #expect(line.inFlight == 2 && line.waitingCount == 0)
    }

    @Test("A request that arrives doesn't overtake one that waits")
    func noRequestOvertakes() {
        var line = WaitingLine()
        _ = line.enter(limit: 1, maximumQueued: 9)
        _ = line.enter(limit: 1, maximumQueued: 9)
        line.leave()
        #expect(line.enter(limit: 1, maximumQueued: 9) == .queued(2))
        #expect(line.admitNext(limit: 1) == 1)
    }

    @Test("After any events each request is admitted once, in order", arguments: 0..<50)
    func eachRequestIsAdmittedOnceInOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var line = WaitingLine()
        var waiting: [WaitingLine.Ticket] = []
        var inFlight = 0
        var limit = 3
        for _ in 0..<3000 {
            switch Int.random(in: 0...4, using: &generator) {
            case 0, 1:
                switch line.enter(limit: limit, maximumQueued: 100) {
                case .admitted:
                    #expect(inFlight < limit && waiting.isEmpty)
                    inFlight += 1
                case .queued(let ticket): waiting.append(ticket)
                case .refused: #expect(waiting.count == 100)
                }
            case 2:
                if inFlight > 0 {
                    line.leave()
                    inFlight -= 1
                }
            case 3:
                guard let ticket = waiting.randomElement(using: &generator) else { continue }
                waiting.removeAll { $0 == ticket }
                let isWaiting = line.withdraw(ticket)
                let isWaitingTwice = line.withdraw(ticket)
                #expect(isWaiting && !isWaitingTwice)
            default:
                limit = Int.random(in: 1...5, using: &generator)
            }
            while let ticket = line.admitNext(limit: limit) {
                #expect(waiting.first == ticket && inFlight < limit)
                waiting.removeFirst()
                inFlight += 1
            }
            #expect(waiting.isEmpty || inFlight >= limit)
            #expect(line.inFlight == inFlight && line.waitingCount == waiting.count)
        }
    }
}
