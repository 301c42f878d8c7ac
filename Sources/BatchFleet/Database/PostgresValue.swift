/// A parameter of a statement, which PostgreSQL reads as text.
package enum PostgresValue: Sendable, Hashable {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case integers([Int])
    case reals([Double])
    case texts([String?])

    /// The value's text; `nil` for SQL's `NULL`.
    ///
    /// A text can't contain the byte 0 in PostgreSQL: it becomes U+FFFD.
    package var text: String? {
        switch self {
        case .null: nil
        case .integer(let number): String(number)
        case .real(let number): Self.text(of: number)
        case .text(let text): Self.withoutZero(text)
        case .integers(let numbers): "{" + numbers.map { String($0) }.joined(separator: ",") + "}"
        case .reals(let numbers):
            "{" + numbers.map { Self.text(of: $0) }.joined(separator: ",") + "}"
        case .texts(let texts): Self.array(texts)
        }
    }

    private static func text(of number: Double) -> String {
        if number.isNaN { return "NaN" }
        guard number.isFinite else { return number < 0 ? "-Infinity" : "Infinity" }
        return String(number)
    }

    private static func withoutZero(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        // Not by characters: one may consist of the byte and a combining mark.
        let scalars = text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    /// An array's text: each element in quotation marks.
    private static func array(_ texts: [String?]) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            guard let text else {
                bytes += "NULL".utf8
                continue
            }
            bytes.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                switch byte {
                case 0: bytes += "\u{FFFD}".utf8
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    bytes.append(UInt8(ascii: "\\"))
                    bytes.append(byte)
                default: bytes.append(byte)
                }
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
    }
}
