/// Writes one JSON object (RFC 8259) as one line, straight into bytes.
struct JSONLine {
    /// What has been written.
    private(set) var bytes: [UInt8]
    private var needsComma = false

    /// Continues behind `bytes`.
    init(appendingTo bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// Hands over what has been written, without a copy.
    consuming func takeBytes() -> [UInt8] { bytes }

    mutating func beginObject() {
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    mutating func beginArray() {
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Before each element of an array.
    mutating func beginElement() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    mutating func key(_ name: StaticString) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        string(name.description)
        bytes.append(UInt8(ascii: ":"))
        needsComma = true
    }

    mutating func field(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { string(value) } else { literal("null") }
    }

    mutating func field(_ name: StaticString, _ value: Bool) {
        key(name)
        literal(value ? "true" : "false")
    }

    mutating func field(_ name: StaticString, _ value: Int64?) {
        key(name)
        literal(value.map { String($0) } ?? "null")
    }

    /// Seconds with six digits after the point; `null` where it was not measured.
    mutating func field(_ name: StaticString, seconds value: Duration?) {
        key(name)
        guard let value else { return literal("null") }
        let (seconds, attoseconds) = value.components
        guard seconds >= 0, attoseconds >= 0 else { return literal("0") }
        let microseconds = String(attoseconds / 1_000_000_000_000)
        literal("\(seconds).\(microseconds.zeroPadded(to: 6))")
    }

    private mutating func literal(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// A string is always valid Unicode, so its UTF-8 is; what JSON wants escaped is escaped.
    private mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
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
        bytes.append(UInt8(ascii: "\""))
    }
}
