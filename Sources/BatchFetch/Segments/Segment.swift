/// A piece of a body that is fetched by a request of its own, beside others.
final class Segment: Sendable {
    let group: SegmentGroup
    let range: Range<Int64>

    init(_ range: Range<Int64>, of group: SegmentGroup) {
        self.range = range
        self.group = group
    }

    /// It is of no use where the whole is sent in its place: another request fetches that.
    var part: RequestedPart {
        var part = group.record.part(range)
        part.takesWhole = false
        return part
    }
}
