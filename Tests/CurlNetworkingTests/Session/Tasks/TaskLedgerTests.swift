internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite struct TaskLedgerTests {
    private let resumed = EventRecorder<String>()

    private func wait(_ ledger: inout TaskLedger, _ name: String) -> Bool {
        ledger.wait(ledger.ticket()) { [resumed] error in
            resumed.record(error == nil ? name : "\(name) cancelled")
        }
    }

    private func leave(_ ledger: inout TaskLedger, _ age: Int) {
        for waiter in ledger.leave(age) { waiter.resume(nil) }
    }

    @Test("S-10: Without tasks, waiting ends at once")
    func waitingEndsAtOnceWithoutTasks() {
        var ledger = TaskLedger()
        #expect(wait(&ledger, "a"))
        let age = ledger.enter()
        leave(&ledger, age)
        #expect(wait(&ledger, "b"))
    }

    @Test("S-10: A waiter waits for tasks that exist already, not for later ones")
    func waiterDoesNotWaitForLaterTasks() {
        var ledger = TaskLedger()
        let first = [ledger.enter(), ledger.enter()]
        #expect(!wait(&ledger, "a"))
        let later = ledger.enter()
        #expect(!wait(&ledger, "b"))
        let last = ledger.enter()
        leave(&ledger, first[0])
        leave(&ledger, last)
        #expect(resumed.events.isEmpty)
        leave(&ledger, first[1])
        #expect(resumed.events == ["a"])
        leave(&ledger, later)
        #expect(resumed.events == ["a", "b"])
        #expect(wait(&ledger, "c"))
    }

    @Test("S-10: If a later generation of tasks ends first, its waiters wait for the earlier one")
    func waitersOfEarlierGenerationStillWait() {
        var ledger = TaskLedger()
        let first = ledger.enter()
        #expect(!wait(&ledger, "a"))
        let second = ledger.enter()
        #expect(!wait(&ledger, "b"))
        leave(&ledger, second)
        #expect(resumed.events.isEmpty)
        leave(&ledger, first)
        #expect(resumed.events == ["a", "b"])
    }

    @Test("S-10: A waiter that stopped waiting isn't resumed again")
    func departedWaiterIsNotResumedTwice() {
        var ledger = TaskLedger()
        let age = ledger.enter()
        let ticket = ledger.ticket()
        let isNow = ledger.wait(ticket) { [resumed] _ in resumed.record("delivered") }
        #expect(!isNow)
        ledger.leaveWaiting(ticket)?.resume(nil)
        let isStillThere = ledger.leaveWaiting(ticket) != nil
        #expect(!isStillThere)
        leave(&ledger, age)
        #expect(resumed.events == ["delivered"])
    }

    @Test("S-10: In random orders, all waiters are resumed")
    func randomOrdersResumeAllWaiters() {
        var random = SeededGenerator(seed: 10)
        for _ in 0..<500 {
            var ledger = TaskLedger()
            var open: [Int] = []
            var waiting = 0
            let delivered = Watched(0)
            for _ in 0..<40 {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: open.append(ledger.enter())
                case 1 where !open.isEmpty:
                    let index = Int.random(in: 0..<open.count, using: &random)
                    leave(&ledger, open.remove(at: index))
                default:
                    let isNow = ledger.wait(ledger.ticket()) { _ in delivered.update { $0 += 1 } }
                    #expect(isNow == open.isEmpty)
                    if !isNow { waiting += 1 }
                }
            }
            for age in open.shuffled(using: &random) { leave(&ledger, age) }
            #expect(delivered.read { $0 } == waiting)
        }
    }
}
