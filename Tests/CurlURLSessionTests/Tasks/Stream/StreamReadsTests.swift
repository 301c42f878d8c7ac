internal import CurlTransport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

@Suite struct StreamReadsTests {
    private func read(_ ticket: UInt64, _ range: ClosedRange<Int>) -> StreamReads.Read {
        StreamReads.Read(
            ticket: ticket,
            minimum: range.lowerBound,
            maximum: range.upperBound,
            completion: { _ in }
        )
    }

    private func feed(_ text: String, to reads: inout StreamReads) {
        let bytes = Array(text.utf8)
        reads.append(bytes.span)
    }

    private func text(_ data: Data?) -> String? {
        data.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func readCanTakeAllBufferedBytes() {
        var reads = StreamReads()
        reads.append(read(1, 1...4))
        reads.append(read(2, 1...Int.max))
        feed("abcdefg", to: &reads)
        #expect(text(reads.takeDue()?.data) == "abcd")
        #expect(text(reads.takeDue()?.data) == "efg")
    }

    @Test func readsAreServedInOrder() {
        var reads = StreamReads()
        reads.append(read(1, 3...4))
        reads.append(read(2, 1...10))
        feed("ab", to: &reads)
        // The first read waits for more bytes, and the second one waits for the first.
        #expect(reads.takeDue() == nil)
        feed("cdefg", to: &reads)
        let first = reads.takeDue()
        #expect(first?.read.ticket == 1 && text(first?.data) == "abcd" && first?.isAtEnd == false)
        let second = reads.takeDue()
        #expect(second?.read.ticket == 2 && text(second?.data) == "efg")
        #expect(second?.isAtEnd == false && reads.isIdle)
    }

    @Test func endCompletesAllPendingReads() {
        var reads = StreamReads()
        feed("abc", to: &reads)
        reads.append(read(1, 10...10))
        #expect(reads.takeDue() == nil)
        reads.append(read(2, 1...1))
        reads.end()
        let last = reads.takeDue()
        #expect(text(last?.data) == "abc" && last?.isAtEnd == true)
        let after = reads.takeDue()
        #expect(after?.data.isEmpty == true && after?.isAtEnd == true)
    }

    @Test func remainingBytesAreReadBeforeTheEnd() {
        var reads = StreamReads()
        feed("abc", to: &reads)
        reads.end()
        reads.append(read(1, 1...2))
        #expect(reads.takeDue()?.isAtEnd == false)
        reads.append(read(2, 1...2))
        #expect(reads.takeDue()?.isAtEnd == true)
    }

    @Test func readCanBeWithdrawn() {
        var reads = StreamReads()
        reads.append(read(1, 5...5))
        reads.append(read(2, 1...1))
        feed("a", to: &reads)
        #expect(reads.withdraw(1)?.ticket == 1)
        #expect(reads.withdraw(1) == nil)
        #expect(reads.takeDue()?.read.ticket == 2)
    }

    @Test func largeReadIncreasesTheBuffer() {
        var reads = StreamReads()
        let piece = [UInt8](repeating: 1, count: 256 * 1024)
        reads.append(piece.span)
        #expect(reads.isFull && !reads.hasRoom)
        reads.append(read(1, (piece.count + 1)...(piece.count * 2)))
        #expect(!reads.isFull && reads.hasRoom)
        reads.append(piece.span)
        #expect(reads.takeDue()?.data.count == piece.count * 2)
        #expect(!reads.isFull && reads.hasRoom)
    }

    @Test(arguments: 0..<4) func randomPiecesAreReadInOrder(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var reads = StreamReads()
        var (next, seen): (UInt8, UInt8) = (0, 0)
        for ticket in 0..<UInt64(2000) {
            if Bool.random(using: &random) {
                let count = Int.random(in: 0...50, using: &random)
                let piece = (0..<count).map { _ in
                    next &+= 1
                    return next
                }
                reads.append(piece.span)
            } else {
                let least = Int.random(in: 1...40, using: &random)
                reads.append(read(ticket, least...(least + Int.random(in: 0...40, using: &random))))
            }
            while let due = reads.takeDue() {
                #expect((due.read.minimum...due.read.maximum).contains(due.data.count))
                for byte in due.data {
                    seen &+= 1
                    #expect(byte == seen)
                }
            }
        }
    }
}
