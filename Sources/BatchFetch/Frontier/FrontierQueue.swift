import Curl

/// What a ``Frontier`` keeps of one host, or of those that share a bucket.
struct FrontierQueue: Sendable {
    /// Whose lane it is; nil for a bucket.
    var host: String?
    /// Whether it is among those that may have something to give.
    var isReady = false
    /// What was at a bucket's front and has been looked at.
    var front: [FetchJob] = []
    /// What comes before the rest of its host.
    private var first = RecordChain()
    private var rest = RecordChain()

    var isEmpty: Bool { front.isEmpty && first.isEmpty && rest.isEmpty }

    mutating func append(
        _ record: [UInt8],
        isFirst: Bool,
        to file: inout BlockFile
    ) throws(FileError) {
        if isFirst {
            try first.append(record, to: &file)
        } else {
            try rest.append(record, to: &file)
        }
    }

    /// The next record behind ``front``.
    mutating func popFirst(from file: inout BlockFile) throws(FrontierDamage) -> [UInt8]? {
        try first.isEmpty ? rest.popFirst(from: &file) : first.popFirst(from: &file)
    }
}
