/// Reads back lines of results, as far as a journal needs them. Pure.
struct ResultTail: Sendable {
    /// What a line says.
    struct Entry: Sendable, Hashable {
        let ordinal: Int
        let isFetched: Bool
    }

    /// What the lines say, in their order.
    private(set) var entries: [Entry] = []
    /// The bytes of whole lines.
    private(set) var wholeLength: Int64 = 0
    /// Whether there was a line that is no result.
    private(set) var hasForeignLine = false
    private var partial: [UInt8] = []

    private static let ordinalKey = Array("\"ordinal\":".utf8)
    static let failedField = Array("\"ok\":false".utf8)

    /// Takes the next bytes.
    mutating func read(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            partial += rest[..<end]
            read(line: partial)
            wholeLength += Int64(partial.count + 1)
            partial.removeAll(keepingCapacity: true)
            rest = rest[(end + 1)...]
        }
        partial += rest
    }

    private mutating func read(line: [UInt8]) {
        guard let ordinal = Self.ordinal(of: line) else {
            hasForeignLine = true
            return
        }
        let isFetched = Self.index(of: Self.failedField, in: line) == nil
        entries.append(Entry(ordinal: ordinal, isFetched: isFetched))
    }

    /// How many lines say that their URL failed.
    var failed: Int { entries.count { !$0.isFetched } }

    /// Removes and returns what has been read so far.
    mutating func takeEntries() -> [Entry] {
        defer { entries.removeAll(keepingCapacity: true) }
        return entries
    }

    /// The number behind `"ordinal":`. Inside of a string the quotes would have backslashes.
    static func ordinal(of line: [UInt8]) -> Int? {
        guard let start = index(of: ordinalKey, in: line) else { return nil }
        let digits = line[(start + ordinalKey.count)...].prefix { (0x30...0x39).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    static func index(of field: [UInt8], in line: [UInt8]) -> Int? {
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
