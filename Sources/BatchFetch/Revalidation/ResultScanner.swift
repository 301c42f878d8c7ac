/// Finds the lines of results that have a validator, without reading all that they say. Pure.
struct ResultScanner: Sendable {
    private static let urlKey = Array("\"url\":\"".utf8)
    /// Texts, and not null.
    private static let validators = ["\"etag\":\"", "\"last_modified\":\""].map { Array($0.utf8) }

    /// Whether there was a line that is no result.
    private(set) var hasForeignLine = false
    private var offset: Int64 = 0
    private var partial: [UInt8] = []

    /// Takes the next bytes, and tells the URLs of such lines and where they begin.
    mutating func read(_ bytes: [UInt8], _ found: (_ url: [UInt8], _ offset: Int64) -> Void) {
        var rest = bytes[...]
        while !hasForeignLine, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            partial += rest[..<end]
            if let url = url(of: partial) { found(url, offset) }
            offset += Int64(partial.count + 1)
            partial.removeAll(keepingCapacity: true)
            rest = rest[(end + 1)...]
        }
        if !hasForeignLine { partial += rest }
    }

    private mutating func url(of line: [UInt8]) -> [UInt8]? {
        guard ResultTail.ordinal(of: line) != nil,
            let start = ResultTail.index(of: Self.urlKey, in: line)
        else {
            hasForeignLine = true
            return nil
        }
        guard ResultTail.index(of: ResultTail.failedField, in: line) == nil,
            Self.validators.contains(where: { ResultTail.index(of: $0, in: line) != nil })
        else { return nil }
        let text = line[(start + Self.urlKey.count)...].prefix { $0 != UInt8(ascii: "\"") }
        // What had to be escaped is read as a whole.
        return text.contains(UInt8(ascii: "\\"))
            ? EarlierResponse(line: line).map { Array($0.url.utf8) } : Array(text)
    }
}
