import Testing

@testable import CurlTransport

@Suite struct ByteOutboxTests {
    @Test func loopIsNotifiedOnceUntilItTakesBytes() {
        var outbox = ByteOutbox(capacity: 10)
        #expect(outbox.append([1]) == .accepted(notifiesLoop: true))
        #expect(outbox.append([2, 3]) == .accepted(notifiesLoop: false))
        #expect(outbox.take() == [[1], [2, 3]])
        #expect(outbox.append([4]) == .accepted(notifiesLoop: true))
        #expect(outbox.take() == [[4]])
        #expect(outbox.take().isEmpty)
    }

    @Test func takenBytesCountUntilTheyAreSent() {
        var outbox = ByteOutbox(capacity: 4)
        #expect(outbox.append([1, 2, 3]) == .accepted(notifiesLoop: true))
        #expect(outbox.append([4, 5]) == .full)
        _ = outbox.take()
        #expect(outbox.append([4, 5]) == .full)
        outbox.left(1)
        #expect(outbox.append([4, 5]) == .accepted(notifiesLoop: true))
        #expect(outbox.waitingBytes == 4)
    }

    @Test func largePieceIsAcceptedWhenOutboxIsEmpty() {
        var outbox = ByteOutbox(capacity: 2)
        #expect(outbox.append([1, 2, 3, 4]) == .accepted(notifiesLoop: true))
        #expect(outbox.append([5]) == .full)
        outbox.left(4)
        #expect(outbox.append([5]) == .accepted(notifiesLoop: false))
    }

    @Test func closedOutboxAcceptsNothing() {
        var outbox = ByteOutbox(capacity: 8)
        #expect(outbox.append([1]) == .accepted(notifiesLoop: true))
        outbox.close()
        #expect(outbox.append([2]) == .closed)
        #expect(outbox.append([]) == .closed)
        #expect(outbox.take() == [[1]])
    }

    @Test func emptyPiecesAreIgnored() {
        var outbox = ByteOutbox(capacity: 8)
        #expect(outbox.append([]) == .accepted(notifiesLoop: false))
        #expect(outbox.take().isEmpty)
    }
}
