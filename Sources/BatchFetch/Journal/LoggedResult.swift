internal import FoundationEssentials

/// A line of results, of which no more is read than is asked for. Pure.
struct LoggedResult: Sendable {
    private struct Place: Decodable {
        let url: String
    }

    private static let ordinalKey = Array("\"ordinal\":".utf8)
    private static let urlKey = Array("\"url\":\"".utf8)
    private static let failedField = Array("\"ok\":false".utf8)

    let bytes: [UInt8]
    let ordinal: Int

    /// `nil` for a line that is no result.
    init?(_ bytes: [UInt8]) {
        // Inside of a string the quotes would have backslashes.
        guard let start = Self.index(of: Self.ordinalKey, in: bytes) else { return nil }
        let digits = bytes[(start + Self.ordinalKey.count)...].prefix { (0x30...0x39).contains($0) }
        guard let ordinal = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        self.bytes = bytes
        self.ordinal = ordinal
    }

    var isFetched: Bool { Self.index(of: Self.failedField, in: bytes) == nil }

    /// As the list has it; `nil` where the line has none.
    var url: [UInt8]? {
        guard let start = Self.index(of: Self.urlKey, in: bytes) else { return nil }
        let text = bytes[(start + Self.urlKey.count)...].prefix { $0 != UInt8(ascii: "\"") }
        // What had to be escaped is read as JSON.
        guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
        return (try? JSONDecoder().decode(Place.self, from: Data(bytes))).map { Array($0.url.utf8) }
    }

    /// Whether one of these is in it.
    func contains(oneOf fields: [[UInt8]]) -> Bool {
        fields.contains { Self.index(of: $0, in: bytes) != nil }
    }

    private static func index(of field: [UInt8], in line: [UInt8]) -> Int? {
        guard let first = field.first else { return nil }
        var rest = line[...]
        while let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.starts(with: field) { return index }
            rest = rest.dropFirst()
        }
        return nil
    }
}
