/// Which part of which whole a response has (RFC 9110, 14.4). Pure.
struct ContentRange: Sendable, Hashable {
    let range: Range<Int64>
    /// The length of the whole; nil where the server doesn't know it.
    let length: Int64?

    /// Reads `bytes 0-499/1234`; nil for anything else.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]),
            let last = Self.number(bounds[1]), first <= last, last < .max
        else { return nil }
        range = first..<(last + 1)
        if parts[1] == "*" {
            length = nil
        } else {
            guard let whole = Self.number(parts[1]), last < whole else { return nil }
            length = whole
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
