/// The part of a body that a `206` response contains (RFC 9110, section 14.4).
///
/// All layers parse `Content-Range` with it. A value that it rejects is invalid and must not be
/// combined with other parts.
package struct ContentRange: Sendable, Hashable {
    /// The position of the first byte and the one after the last. Never empty.
    package let range: Range<Int64>
    /// The length of the whole body; nil if the server doesn't know it.
    package let length: Int64?

    /// Parses `bytes 0-499/1234` or `bytes 0-499/*`.
    ///
    /// Nil for anything else: another unit, a last byte before the first or beyond the length, and
    /// numbers above `Int64.max`.
    package init?(_ text: some StringProtocol) {
        guard let (part, whole) = Self.halves(of: text) else { return nil }
        let bounds = part.split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]),
            let last = Self.number(bounds[1]), first <= last, last < .max
        else { return nil }
        if whole == "*" {
            length = nil
        } else {
            guard let whole = Self.number(whole), last < whole else { return nil }
            length = whole
        }
        range = first..<(last + 1)
    }

    /// Parses the values of a response's field lines, of which there must be exactly one.
    package init?(lines: [String]) {
        guard let line = lines.first, lines.count == 1 else { return nil }
        self.init(line)
    }

    /// The length of the whole body from a `416` response: 1234 of `bytes */1234`.
    ///
    /// Nil for anything else.
    package static func unsatisfiedLength(_ text: some StringProtocol) -> Int64? {
        guard let (part, whole) = halves(of: text), part == "*" else { return nil }
        return number(whole)
    }

    private static func halves(of text: some StringProtocol) -> (String, String)? {
        let words = text.split { $0 == " " || $0 == "\t" }
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        return halves.count == 2 ? (String(halves[0]), String(halves[1])) : nil
    }

    private static func number(_ text: some StringProtocol) -> Int64? {
        guard text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int64(text)
    }
}
