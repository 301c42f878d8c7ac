/// What became of a body.
enum BodyEnd: Sendable {
    case dropped
    case file(path: String)
    /// A file of that name was there, and stays.
    case existing(path: String)
    /// In an archive, in the entry that begins there.
    case shard(name: String, offset: Int64)
    case memory([UInt8])
    case failed(BatchFailure)
}
