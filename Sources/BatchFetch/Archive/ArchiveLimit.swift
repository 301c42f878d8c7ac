/// When an archive is closed and the next one begun.
public enum ArchiveLimit: Sendable, Hashable {
    /// When it has so many bytes.
    case bytes(Int64)
    /// When it has so many bodies.
    case entries(Int)

    /// Reads `10000` as a number of bodies, and `500M`, `1G` (thousands) or `1GiB` (of 1,024) as a
    /// size; `nil` for what is neither, or zero.
    public init?(_ text: String) {
        if let entries = Int(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            guard entries > 0 else { return nil }
            self = .entries(entries)
        } else {
            guard let bytes = ByteAmount.bytes(text), bytes > 0 else { return nil }
            self = .bytes(bytes)
        }
    }

    /// Whether an archive of so many bytes and bodies is full.
    func isReached(bytes: Int64, entries: Int) -> Bool {
        switch self {
        case .bytes(let limit): bytes >= limit
        case .entries(let limit): entries >= limit
        }
    }
}
