import Posix

/// Writes one JSON object (RFC 8259) as one line of bytes.
package struct JSONLine {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8]
    private var needsComma = false

    /// Starts a line after `bytes`.
    package init(appendingTo bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// Returns the bytes written, without a copy.
    package consuming func takeBytes() -> [UInt8] { bytes }

    package mutating func beginObject() {
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    package mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    package mutating func beginArray() {
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Must be called before each element of an array.
    package mutating func beginElement() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    package mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// - Parameter name: Not escaped; must consist of letters, digits and underscores.
    package mutating func key(_ name: String) {
        let name = name.utf8.span
        bytes.append(addingCapacity: name.count + 4) { output in
            if needsComma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            _ = output.append(copying: name)
            output.append(UInt8(ascii: "\""))
            output.append(UInt8(ascii: ":"))
        }
        needsComma = true
    }

    package mutating func field(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { literal("null") }
    }

    package mutating func field(_ name: String, _ value: Bool) {
        key(name)
        literal(value ? "true" : "false")
    }

    package mutating func field(_ name: String, _ value: Int64?) {
        key(name)
        guard let value else { return literal("null") }
        bytes.appendDecimal(value)
    }

    /// Writes seconds with six decimal places; `null` for `nil`.
    package mutating func field(_ name: String, seconds value: Duration?) {
        key(name)
        guard let value else { return literal("null") }
        let (seconds, attoseconds) = value.components
        guard seconds >= 0, attoseconds >= 0 else { return literal("0") }
        bytes.append(addingCapacity: 32) { output in
            output.appendDecimal(seconds)
            output.append(UInt8(ascii: "."))
            output.appendDecimal(attoseconds / 1_000_000_000_000, width: 6)
        }
    }

    /// Writes a time in the format of ``Timestamp``, from microseconds since 1970. `null` for
    /// `nil`.
    package mutating func field(_ name: String, microseconds value: Int64?) {
        key(name)
        guard let value else { return literal("null") }
        bytes.append(UInt8(ascii: "\""))
        Timestamp.append(microseconds: value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func literal(_ text: String) {
        bytes.append(copying: text.utf8.span)
    }

    /// Writes a string. Its UTF-8 is always valid, so only DEL and the characters that JSON
    /// requires are escaped.
    private mutating func string(_ text: String) {
        let span = text.utf8.span
        guard !Self.isPlain(span) else {
            return bytes.append(addingCapacity: span.count + 2) { output in
                output.append(UInt8(ascii: "\""))
                _ = output.append(copying: span)
                output.append(UInt8(ascii: "\""))
            }
        }
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: literal("\\n")
            case 0x0D: literal("\\r")
            case 0x09: literal("\\t")
            case 0..<0x20, 0x7F: literal("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))")
            default: bytes.append(byte)
            }
        }
    }

    /// Whether a string needs no escapes.
    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        for index in text.indices {
            // The common characters come first: letters, digits, and punctuation of URLs.
            switch text[index] {
            case 0x5D...0x7E, 0x23...0x5B: continue
            case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F: return false
            default: continue
            }
        }
        return true
    }
}
