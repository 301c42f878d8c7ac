import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// The ranges of a body that are present, and those that are missing.
@Suite struct ByteRangesTests {
    @Test func adjacentAndOverlappingRangesAreMerged() {
        var there = ByteRanges([10..<20, 30..<40])
        there.insert(20..<30)
        #expect(there.ranges == [10..<40])
        there.insert(5..<12)
        there.insert(50..<60)
        there.insert(39..<55)
        there.insert(0..<0)
        #expect(there.ranges == [5..<60])
        #expect(there.count == 55)
    }

    @Test func gapsAreTheMissingRanges() {
        let there = ByteRanges([50..<60, 10..<20])
        #expect(there.gaps(upTo: 100) == [0..<10, 20..<50, 60..<100])
        #expect(there.gaps(upTo: 60) == [0..<10, 20..<50])
        #expect(ByteRanges([0..<60]).gaps(upTo: 60).isEmpty)
        #expect(ByteRanges().gaps(upTo: 5) == [0..<5])
    }

    @Test func everyByteIsInARangeOrAGap() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            var there = ByteRanges()
            var bytes = [Bool](repeating: false, count: 64)
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                let start = Int.random(in: 0..<64, using: &generator)
                let end = Int.random(in: start...64, using: &generator)
                there.insert(Int64(start)..<Int64(end))
                for index in start..<end { bytes[index] = true }
            }
            let gaps = there.gaps(upTo: 64)
            for index in bytes.indices {
                #expect(gaps.contains { $0.contains(Int64(index)) } != bytes[index])
                #expect(there.ranges.contains { $0.contains(Int64(index)) } == bytes[index])
            }
            #expect(there.count == Int64(bytes.count { $0 }))
            for (one, next) in zip(there.ranges, there.ranges.dropFirst()) {
                #expect(one.upperBound < next.lowerBound, "neither touching nor out of order")
            }
        }
    }

    @Test func invalidRangesAreIgnored() throws {
        let text = "[[5,9],[-3,4],[7,7],[20,10],[1],[9,12]]"
        let there = try JSONDecoder().decode(ByteRanges.self, from: Data(text.utf8))
        #expect(there.ranges == [5..<12])
        let again = try JSONDecoder().decode(
            ByteRanges.self,
            from: try JSONEncoder().encode(there)
        )
        #expect(again == there)
    }
}
