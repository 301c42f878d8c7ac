/// One of several parts of a list, which are fetched by as many runs, on other machines perhaps.
///
/// A host belongs to one part, whatever the list: so each run's limits per host hold for all of them
/// together.
public struct InputShard: Sendable, Hashable {
    /// Which part, from 0.
    public let index: Int
    /// How many parts there are.
    public let count: Int

    /// `nil` unless `index` is from 0 to below `count`.
    public init?(index: Int, count: Int) {
        guard count >= 1, index >= 0, index < count else { return nil }
        self.index = index
        self.count = count
    }

    /// Reads `0/8` … `7/8`; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1] else { return nil }
        self.init(index: index, count: count)
    }

    /// Whether an entry belongs to it. Those that have no host belong to one part each by their
    /// number.
    func contains(_ entry: InputEntry) -> Bool {
        let number =
            switch entry {
            case .job(let job): StableHash.hash(job.target.host.utf8)
            case .done(let result): StableHash.mixed(UInt64(result.ordinal))
            }
        return Int(number % UInt64(count)) == index
    }
}
