/// Estimates whether hosts get more URLs after all of their queued ones were fetched. Pure.
///
/// In a list with few URLs per host they don't, and the connection of the last one isn't needed
/// again. The memory is constant: hosts are known by their hashes, and one may replace another.
struct HostRecurrence: Sendable {
    /// The maximum number of known hosts.
    private static let places = 4096
    /// One appearance of a host changes the share by a 64th.
    private static let weight = 64
    private static let whole = 1 << 20

    /// The hash of the last host at each place.
    private var hashes = [Int](repeating: 0, count: places)
    /// The share of known hosts among the last appearances.
    private var share = whole

    /// Whether fewer than one in eight of the last appearances was of a known host.
    var isRare: Bool { share < Self.whole / 8 }

    /// Records that a host without URLs got one.
    mutating func appeared(host key: String) {
        let hash = key.hashValue
        let place = hash & (Self.places - 1)
        let isKnown = hashes[place] == hash
        hashes[place] = hash
        share += ((isKnown ? Self.whole : 0) - share) / Self.weight
    }
}
