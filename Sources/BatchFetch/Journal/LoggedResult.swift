internal import FoundationEssentials

/// A line of results, of which no more is read than is asked for. Pure.
struct LoggedResult: Sendable {
    private struct Texts: Decodable {
        let url: String
        let path: String?
    }

    private static let ordinalKey = Array("\"ordinal\":".utf8)
    private static let urlKey = Array("\"url\":\"".utf8)
    private static let pathKey = Array("\"path\":\"".utf8)
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
    var url: [UInt8]? { text(behind: Self.urlKey) { $0.url } }

    /// Of the body's file, relative to the output folder; `nil` where it has none of its own.
    var path: [UInt8]? { text(behind: Self.pathKey) { $0.path } }

    private func text(behind key: [UInt8], _ field: (Texts) -> String?) -> [UInt8]? {
        guard let start = Self.index(of: key, in: bytes) else { return nil }
        let text = bytes[(start + key.count)...].prefix { $0 != UInt8(ascii: "\"") }
        // What had to be escaped is read as JSON.
        guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
        let texts = try? JSONDecoder().decode(Texts.self, from: Data(bytes))
        return texts.flatMap(field).map { Array($0.utf8) }
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
