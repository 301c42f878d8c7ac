/// A media type, or a range of them (RFC 9110, 12.5.1).
struct ContentTypePattern: Hashable, Sendable {
    private let type: Substring
    private let subtype: Substring

    /// - Parameter text: Such as `image/*`. Parameters, such as `q=0.8`, are left out. What is no media
    ///   type is `nil`.
    init?(_ text: some StringProtocol) {
        let plain = text.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
        let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        (type, subtype) = (parts[0], parts[1])
    }

    /// Whether a media type is among those that this stands for.
    func matches(_ other: ContentTypePattern) -> Bool {
        guard type == "*" || type == other.type else { return false }
        if subtype == "*" || subtype == other.subtype { return true }
        guard type != "*" else { return false }
        // `application/*+json` says so itself.
        let suffix = subtype.hasPrefix("*+") ? subtype.dropFirst(1) : "+" + subtype
        return other.subtype.hasSuffix(suffix) && other.subtype.count > suffix.count
    }
}
