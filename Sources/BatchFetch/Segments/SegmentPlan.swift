/// How what is missing of a body is divided among several requests. Pure.
enum SegmentPlan {
    /// A shorter body is fetched in one piece.
    static let shortestBody: Int64 = 32 << 20
    /// A request for less isn't worth its while.
    static let shortestPiece: Int64 = 8 << 20

    /// Pieces of `gaps`, in their order and about alike in length: up to `count`. Where there are more
    /// gaps than that the last ones are left for later.
    static func pieces(of gaps: [Range<Int64>], upTo count: Int) -> [Range<Int64>] {
        let missing = gaps.reduce(0) { $0 + Int64($1.count) }
        let wanted = max(1, min(Int64(count), missing / shortestPiece))
        let length = max(1, (missing - 1) / wanted + 1)
        let all = gaps.flatMap { gap in
            // One that is a little longer is not cut in two.
            let rest = Int64(gap.count) % length
            let pieces = max(1, Int64(gap.count) / length + (rest > length / 2 ? 1 : 0))
            let size = (Int64(gap.count) - 1) / pieces + 1
            return (0..<pieces).map { number in
                let start = gap.lowerBound + number * size
                return start..<(start + min(size, gap.upperBound - start))
            }
        }
        return Array(all.prefix(count))
    }
}
