/// The latest payloads of an archive, by their digests: of each the record that has it. Those that
/// came first are forgotten first, so that it takes no more memory however long the run is.
struct PayloadIndex: Sendable {
    /// The record that has a payload.
    struct Origin: Sendable, Hashable {
        let id: String
        let url: String
        let date: String
    }

    private let limit: Int
    private var origins: [[UInt8]: Origin] = [:]
    private var order = RingQueue<[UInt8]>()

    init(limit: Int = 100_000) {
        self.limit = limit
    }

    subscript(digest: [UInt8]) -> Origin? { origins[digest] }

    mutating func add(_ origin: Origin, for digest: [UInt8]) {
        guard origins.updateValue(origin, forKey: digest) == nil else { return }
        order.append(digest)
        if origins.count > limit, let oldest = order.popFirst() { origins[oldest] = nil }
    }
}
