internal import HTTPSemantics

/// One `Allow` or `Disallow` line of a `robots.txt` (RFC 9309, 2.2.2).
struct RobotsRule: Sendable, Hashable {
    private let pattern: [UInt8]
    let isAllowed: Bool

    /// - Parameter path: The prefix that paths must have; `*` matches any characters, and a final
    ///   `$` the end.
    init(_ path: String, isAllowed: Bool) {
        pattern = Self.normalized(path)
        self.isAllowed = isAllowed
    }

    /// Decodes ``text``; `nil` if it begins with another character.
    init?(text: String) {
        guard let first = text.utf8.first, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(first)
        else { return nil }
        pattern = Array(text.utf8.dropFirst())
        isAllowed = first == UInt8(ascii: "+")
    }

    /// The normalized pattern after `+` if it allows, and after `-` if it disallows.
    var text: String { (isAllowed ? "+" : "-") + String(decoding: pattern, as: UTF8.self) }

    /// The length of the pattern: the longest matching rule applies.
    var length: Int { pattern.count }

    /// Whether the pattern matches a normalized path.
    func fits(_ path: [UInt8]) -> Bool {
        let isAnchored = pattern.last == UInt8(ascii: "$")
        let body = isAnchored ? pattern.dropLast() : pattern[...]
        var (position, place) = (body.startIndex, 0)
        var retry: (position: Int, place: Int)?
        while true {
            if position == body.endIndex, !isAnchored || place == path.count { return true }
            if position < body.endIndex, body[position] == UInt8(ascii: "*") {
                position += 1
                retry = (position, place)
            } else if position < body.endIndex, place < path.count, body[position] == path[place] {
                position += 1
                place += 1
            } else if let last = retry, last.place < path.count {
                retry = (last.position, last.place + 1)
                (position, place) = (last.position, last.place + 1)
            } else {
                return false
            }
        }
    }

    /// Percent-encodes non-ASCII bytes, decodes what needs no encoding, and removes the fragment.
    static func normalized(_ path: String) -> [UInt8] {
        let whole = path.utf8.prefix { $0 != UInt8(ascii: "#") }
        return PercentCoding.normalized(whole, encodesOthers: true)
    }
}
