/// Scans a field value from start to end, byte by byte.
package struct FieldScanner {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: some Sequence<UInt8>) {
        rest = ArraySlice(bytes)
    }

    /// Skips `character` if it is next. Returns whether it was.
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    package mutating func skipWhitespace() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// The text before the next of these characters, or before the end.
    package mutating func text(upTo end: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> String
    {
        let ends = [UInt8(ascii: end), UInt8(ascii: other ?? end)]
        let found = rest.prefix { !ends.contains($0) }
        rest = rest[found.endIndex...]
        return String(decoding: found, as: UTF8.self)
    }

    /// The token that starts here (RFC 9110, 5.6.2); `nil` if none does.
    package mutating func token() -> String? {
        let found = rest.prefix { $0.isTokenByte }
        rest = rest[found.endIndex...]
        return found.isEmpty ? nil : String(decoding: found, as: UTF8.self)
    }

    /// The content of a quoted string without escapes (RFC 9110, 5.6.4).
    ///
    /// `nil` if none starts here; then nothing is consumed. An unterminated one extends to the end.
    package mutating func quotedString() -> String? {
        quotedContent()?.text
    }

    /// The content of a quoted string as in ``quotedString()``; `nil` also if it is unterminated.
    package mutating func terminatedQuotedString() -> String? {
        guard let content = quotedContent(), content.isTerminated else { return nil }
        return content.text
    }

    private mutating func quotedContent() -> (text: String, isTerminated: Bool)? {
        guard skip("\"") else { return nil }
        var content: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                return (String(decoding: content, as: UTF8.self), true)
            case UInt8(ascii: "\\"):
                if let escaped = rest.popFirst() { content.append(escaped) }
            default:
                content.append(byte)
            }
        }
        return (String(decoding: content, as: UTF8.self), false)
    }

    /// The text before the next unquoted comma, or before the end.
    package mutating func listMember() -> String {
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
