internal import DequeModule
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite struct QueueTests {
    @Test(arguments: 0..<10)
    func cancelledTransferIsSkipped(seed: UInt64) {
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
