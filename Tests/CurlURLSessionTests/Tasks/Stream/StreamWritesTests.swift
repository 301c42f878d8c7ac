internal import CurlTransport
internal import Foundation
internal import Testing

@testable internal import CurlURLSession

@Suite struct StreamWritesTests {
    private func write(_ ticket: UInt64, _ count: Int) -> StreamWrites.Write {
        // A slice, whose indices don't begin with 0.
        let data = Data(repeating: UInt8(ticket), count: count + 3).dropFirst(3)
        return StreamWrites.Write(ticket: ticket, data: data, completion: { _ in })
    }

    @Test func longDataIsSentInPieces() {
        var writes = StreamWrites()
        writes.append(write(1, 100_000))
        writes.append(write(2, 5))
        #expect(writes.nextPiece()?.count == 65_536)
        #expect(writes.nextPiece() == [UInt8](repeating: 1, count: 100_000 - 65_536))
        #expect(writes.nextPiece() == [2, 2, 2, 2, 2])
        #expect(writes.nextPiece() == nil)
        writes.noteSent(upTo: 99_999)
        #expect(writes.takeSent().isEmpty)
        writes.noteSent(upTo: 100_005)
        #expect(writes.takeSent().map(\.ticket) == [1, 2])
        #expect(writes.isEmpty)
    }

    @Test func emptyWriteCompletesInOrder() {
        var writes = StreamWrites()
        writes.append(write(1, 1))
        writes.append(write(2, 0))
        #expect(writes.nextPiece() == [1])
        #expect(writes.nextPiece() == nil)
        #expect(writes.takeSent().isEmpty)
        writes.noteSent(upTo: 1)
        #expect(writes.takeSent().map(\.ticket) == [1, 2])
        writes.append(write(3, 0))
        #expect(writes.takeSent().map(\.ticket) == [3])
    }

    @Test func withdrawnWriteReportsPartialSending() {
        var writes = StreamWrites()
        writes.append(write(1, 100_000))
        writes.append(write(2, 5))
        _ = writes.nextPiece()
        #expect(writes.withdraw(2)?.isTorn == false)
        #expect(writes.withdraw(1)?.isTorn == true)
        #expect(writes.withdraw(1) == nil)
        #expect(writes.nextPiece() == nil)
    }

    @Test func laterWritesMoveForward() {
        var writes = StreamWrites()
        for ticket in 1...3 { writes.append(write(UInt64(ticket), 10)) }
        #expect(writes.nextPiece()?.first == 1)
        #expect(writes.withdraw(2)?.isTorn == false)
        #expect(writes.nextPiece()?.first == 3)
        writes.noteSent(upTo: 20)
        #expect(writes.takeSent().map(\.ticket) == [1, 3])
    }
}
