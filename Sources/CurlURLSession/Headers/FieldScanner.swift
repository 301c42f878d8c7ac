/// Reads a field value from its beginning to its end, byte by byte.
struct FieldScanner {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        rest = ArraySlice(bytes)
    }

    /// Steps over `character`, if it is next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skipWhitespace() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// What stands before the next of these characters, or before the end.
    mutating func text(upTo end: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> String {
        let ends = [UInt8(ascii: end), UInt8(ascii: other ?? end)]
        let found = rest.prefix { !ends.contains($0) }
        rest = rest[found.endIndex...]
        return String(decoding: found, as: UTF8.self)
    }

    /// The content of a quoted string without its backslashes (RFC 9110, 5.6.4); `nil`, and nothing
    /// is read, if none begins here.
    mutating func quotedString() -> String? {
        guard skip("\"") else { return nil }
        var content: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                if let escaped = rest.popFirst() { content.append(escaped) }
            default:
                content.append(byte)
            }
        }
        return String(decoding: content, as: UTF8.self)
    }

    /// What stands before the next comma that isn't in a quoted string, or before the end.
    mutating func listMember() -> String {
        var isQuoted = false
        var isEscaped = false
        let member = rest.prefix { byte in
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
            return isQuoted || byte != UInt8(ascii: ",")
        }
        rest = rest[member.endIndex...]
        return String(decoding: member, as: UTF8.self)
    }
}
