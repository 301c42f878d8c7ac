/// What became of a body.
enum BodyEnd: Sendable {
    case dropped
    case file(path: String)
    /// A file of that name was there, and stays.
    case existing(path: String)
    /// In an archive, in the entry that begins there.
    case shard(name: String, offset: Int64)
    /// A part is there, and the rest can be asked for.
    case partial(PartialClaim)
    case memory([UInt8])
    /// It was whole, and not the one that was expected.
    case mismatched(BatchFailure)
    case failed(BatchFailure)
}
