/// When an archive is closed and the next one begun.
public enum ArchiveLimit: Sendable, Hashable {
    /// When it has so many bytes.
    case bytes(Int64)
    /// When it has so many bodies.
    case entries(Int)

    /// Reads `10000` as a number of bodies, and `500M` or `1G` as a size (K, M, G and T are powers of
    /// 1,024); `nil` for what is neither, or zero.
    public init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number > 0 else { return nil }
        switch text[digits.endIndex...].uppercased() {
        case "": self = .entries(Int(number))
        case let unit:
            guard let power = ["K", "M", "G", "T"].firstIndex(of: unit) else { return nil }
            let (bytes, isTooLarge) = number.multipliedReportingOverflow(
                by: Int64(1) << (10 * (power + 1))
            )
            guard !isTooLarge else { return nil }
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
