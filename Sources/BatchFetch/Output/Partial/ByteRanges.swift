/// The received byte ranges of a body: sorted, neither adjacent nor overlapping. Pure.
struct ByteRanges: Sendable, Hashable {
    private(set) var ranges: [Range<Int64>] = []

    init(_ ranges: some Sequence<Range<Int64>> = []) {
        for range in ranges { insert(range) }
    }

    /// The number of bytes in all ranges.
    var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.endIndex
        let end =
            ranges[first...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.endIndex
        let touched = ranges[first..<end]
        let lower = min(range.lowerBound, touched.first?.lowerBound ?? range.lowerBound)
        let upper = max(range.upperBound, touched.last?.upperBound ?? range.upperBound)
        ranges.replaceSubrange(first..<end, with: CollectionOfOne(lower..<upper))
    }

    /// The ranges that a body of `length` bytes still lacks.
    func gaps(upTo length: Int64) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var position: Int64 = 0
        for range in ranges where range.lowerBound < length {
            if position < range.lowerBound { gaps.append(position..<range.lowerBound) }
            position = range.upperBound
        }
        if position < length { gaps.append(position..<length) }
        return gaps
    }
}

extension ByteRanges: Codable {
    /// Decodes `[[0, 65536], [1048576, 2097152]]`; skips empty and negative ranges.
    init(from decoder: any Decoder) throws {
        let bounds = try [[Int64]](from: decoder)
        self.init(
            bounds.compactMap { bounds in
                guard bounds.count == 2, bounds[0] >= 0, bounds[0] < bounds[1] else { return nil }
                return bounds[0]..<bounds[1]
            }
        )
    }

    func encode(to encoder: any Encoder) throws {
        try ranges.map { [$0.lowerBound, $0.upperBound] }.encode(to: encoder)
    }
}
