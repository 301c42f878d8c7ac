/// What became of a body.
enum BodyEnd: Sendable {
    case dropped
    case file(path: String)
    case memory([UInt8])
    case failed(BatchFailure)
}
