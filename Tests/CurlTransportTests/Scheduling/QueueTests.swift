internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite struct QueueTests {
    @Test(arguments: 0..<10)
    func aFIFOIsAnArrayThatIsTakenFromTheFront(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var fifo = FIFO<Int>()
        var model: [Int] = []
        for number in 0..<5_000 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0...(number % 1000 < 500 ? 11 : 6):
                fifo.append(number)
                model.append(number)
            case 19:
                fifo.removeAll { $0 % 7 == 0 }
                model.removeAll { $0 % 7 == 0 }
            default:
                let taken = fifo.popFirst()
                #expect(taken == model.first)
                model = Array(model.dropFirst())
            }
            #expect(fifo.first == model.first)
            #expect(fifo.count == model.count)
            #expect(fifo.isEmpty == model.isEmpty)
        }
    }

    @Test func aFIFOThatNeverRunsDryDoesNotGrow() throws {
        var fifo = FIFO<Int>()
        fifo.append(0)
        for number in 1..<10_000 {
            fifo.append(number)
            #expect(fifo.popFirst() == number - 1)
        }
        let storage = Mirror(reflecting: fifo).descendant("storage")
        #expect(try #require(storage as? [Int?]).count < 200)
    }

    @Test func whatLeavesAFIFOIsLetGoAtOnce() {
        final class Thing {}
        var fifo = FIFO<Thing>()
        weak var first: Thing?
        do {
            let thing = Thing()
            first = thing
            fifo.append(thing)
            fifo.append(Thing())
        }
        #expect(first != nil)
        fifo.popFirst()
        #expect(first == nil)
        #expect(fifo.count == 1)
    }

    @Test(arguments: 0..<10)
    func whoLeavesAQueueIsSteppedOver(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = TransferQueue()
        var model: [TransferID] = []
        for number in 0..<5_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...(number % 1000 < 500 ? 6 : 3):
                let transfer = TransferID.next()
                queue.append(transfer)
                model.append(transfer)
            case 7:
                let taken = queue.popFirst()
                #expect(taken == model.first)
                model = Array(model.dropFirst())
            default:
                guard let index = model.indices.randomElement(using: &random) else { continue }
                queue.remove(model.remove(at: index))
            }
            #expect(queue.count == model.count)
            #expect(queue.isEmpty == model.isEmpty)
        }
        var rest: [TransferID] = []
        while let transfer = queue.popFirst() { rest.append(transfer) }
        #expect(rest == model)
    }
}
