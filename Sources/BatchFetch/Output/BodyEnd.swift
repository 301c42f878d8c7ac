/// What became of a body.
indirect enum BodyEnd: Sendable {
    case dropped
    case file(path: String)
    /// A file of that name was there, and stays.
    case existing(path: String)
    /// In an archive, in the entry that begins there.
    case shard(name: String, offset: Int64)
    /// A part is there, and the rest can be asked for.
    case partial(PartialClaim)
    /// It is one piece of several, and what became of it says little before all have ended.
    case segment(SegmentGroup, BodyEnd)
    case memory([UInt8])
    /// It was whole, and not the one that was expected.
    case mismatched(BatchFailure)
    case failed(BatchFailure)
}

extension BodyEnd {
    /// Of this attempt alone.
    var own: BodyEnd {
        if case .segment(_, let end) = self { end } else { self }
    }
}
