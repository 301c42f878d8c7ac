import TestSupport
import Testing

@testable import BatchFetch

/// How the missing ranges of a body are divided into segments.
@Suite struct SegmentPlanTests {
    private static let mebibyte: Int64 = 1 << 20

    @Test func wholeBodyIsDividedIntoEqualSegments() {
        let length = 64 * Self.mebibyte
        let pieces = SegmentPlan.pieces(of: [0..<length], upTo: 4)
        #expect(pieces.map(\.count) == Array(repeating: Int(length / 4), count: 4))
        #expect(SegmentPlan.pieces(of: [0..<length], upTo: 64).count == 8, "none is too short")
        #expect(SegmentPlan.pieces(of: [0..<length], upTo: 1) == [0..<length])
    }

    @Test func smallGapsBecomeOneSegmentEachUpToTheLimit() {
        let gaps: [Range<Int64>] = [0..<10, 20..<30, 40..<50]
        #expect(SegmentPlan.pieces(of: gaps, upTo: 3) == gaps)
        #expect(SegmentPlan.pieces(of: gaps, upTo: 2) == [0..<10, 20..<30])
        #expect(SegmentPlan.pieces(of: [], upTo: 2).isEmpty)
    }

    @Test func hugeBodyIsDivided() {
        let all = SegmentPlan.pieces(of: [0..<Int64.max], upTo: 64)
        #expect(all.count == 64)
        #expect(all.last?.upperBound == .max)
    }

    @Test func segmentsCoverRandomGapsFromTheFirst() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            var gaps = ByteRanges()
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let start = Int64.random(in: 0..<(200 * Self.mebibyte), using: &generator)
                let count = Int64.random(in: 1...(80 * Self.mebibyte), using: &generator)
                gaps.insert(start..<(start + count))
            }
            let limit = Int.random(in: 1...64, using: &generator)
            let pieces = SegmentPlan.pieces(of: gaps.ranges, upTo: limit)
            let end = pieces.last?.upperBound ?? 0
            let requested = gaps.ranges.compactMap { gap in
                gap.lowerBound < end ? gap.lowerBound..<min(gap.upperBound, end) : nil
            }
            #expect(
                ByteRanges(pieces).ranges == requested,
                "from the first on, nothing is left out"
            )
            #expect(pieces.reduce(0) { $0 + Int64($1.count) } == ByteRanges(pieces).count)
            #expect(pieces.allSatisfy { !$0.isEmpty })
            #expect(pieces.first?.lowerBound == gaps.ranges.first?.lowerBound)
            #expect(pieces.count <= limit)
        }
    }
}
