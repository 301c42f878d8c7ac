internal import HTTPSemantics

/// Names of fields that are searched for together in each response.
package struct FieldNameSet: Sendable {
    private let names: [String]
    /// The length and first letter of each name, which usually distinguish it from others.
    private let keys: [UInt16]
    /// A bit for each key. Most other names set none of these.
    private let keyBits: UInt64

    /// - Parameter names: In lower case, neither empty nor longer than 255 bytes.
    package init(_ names: [String]) {
        self.names = names
        keys = names.map { Self.key($0.utf8.span) }
        keyBits = keys.reduce(0) { $0 | Self.bit(of: $1) }
    }

    var count: Int { names.count }

    /// The index of `name` among the names, in any letter case; nil if it isn't among them.
    func place(of name: Span<UInt8>) -> Int? {
        guard 1...255 ~= name.count else { return nil }
        let key = Self.key(name)
        guard keyBits & Self.bit(of: key) != 0 else { return nil }
        let all = keys.span
        for place in all.indices where all[place] == key {
            if name.hasName(names[place].utf8.span, at: 0) { return place }
        }
        return nil
    }

    private static func key(_ name: Span<UInt8>) -> UInt16 {
        UInt16(name.count) << 8 | UInt16(name[0].lowercasedASCII)
    }

    /// Selected by the three low bits of the length and of the letter.
    private static func bit(of key: UInt16) -> UInt64 {
        1 << UInt64((key >> 8 & 7) << 3 | key & 7)
    }
}
