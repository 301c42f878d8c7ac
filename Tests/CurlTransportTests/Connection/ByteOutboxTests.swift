import Testing

@testable import CurlTransport

@Suite struct ByteOutboxTests {
    @Test func theLoopIsToldOnceUntilItComes() {
        var outbox = ByteOutbox(capacity: 10)
        #expect(outbox.append([1]) == .accepted(tellsLoop: true))
        #expect(outbox.append([2, 3]) == .accepted(tellsLoop: false))
        #expect(outbox.take() == [[1], [2, 3]])
        #expect(outbox.append([4]) == .accepted(tellsLoop: true))
        #expect(outbox.take() == [[4]])
        #expect(outbox.take().isEmpty)
    }

    @Test func whatTheLoopHasTakenCountsUntilItHasLeft() {
        var outbox = ByteOutbox(capacity: 4)
        #expect(outbox.append([1, 2, 3]) == .accepted(tellsLoop: true))
        #expect(outbox.append([4, 5]) == .full)
        _ = outbox.take()
        #expect(outbox.append([4, 5]) == .full)
        outbox.left(1)
        #expect(outbox.append([4, 5]) == .accepted(tellsLoop: true))
        #expect(outbox.waitingBytes == 4)
    }

    @Test func aLargePieceIsTakenWhenNothingWaits() {
        var outbox = ByteOutbox(capacity: 2)
        #expect(outbox.append([1, 2, 3, 4]) == .accepted(tellsLoop: true))
        #expect(outbox.append([5]) == .full)
        outbox.left(4)
        #expect(outbox.append([5]) == .accepted(tellsLoop: false))
    }

    @Test func nothingIsTakenOnceItIsClosed() {
        var outbox = ByteOutbox(capacity: 8)
        #expect(outbox.append([1]) == .accepted(tellsLoop: true))
        outbox.close()
        #expect(outbox.append([2]) == .closed)
        #expect(outbox.append([]) == .closed)
        #expect(outbox.take() == [[1]])
    }

    @Test func emptyPiecesAreNothing() {
        var outbox = ByteOutbox(capacity: 8)
        #expect(outbox.append([]) == .accepted(tellsLoop: false))
        #expect(outbox.take().isEmpty)
    }
}
