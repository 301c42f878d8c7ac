internal import Posix

/// A parameter of a statement.
///
/// PostgreSQL reads most of them as text, and lists of texts in its binary format
/// (<https://www.postgresql.org/docs/15/protocol-overview.html#PROTOCOL-FORMAT-CODES>): there, the
/// quotation marks of a text need no escaping.
package enum PostgresValue: Sendable, Hashable {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case integers([Int])
    case reals([Double])
    /// An array of the type `text[]`.
    case texts([String?])
    /// An array of another type, whose elements PostgreSQL parses: `uuid[]`, `timestamptz[]`.
    case literals([String])

    /// How a parameter is encoded.
    package enum Format: Sendable {
        case text
        case binary
    }

    /// Appends the encoded parameter to `bytes`. Returns its format; `nil` for SQL's `NULL`.
    ///
    /// A text can't contain the byte 0 in PostgreSQL: it becomes U+FFFD.
    package func encode(into bytes: inout [UInt8]) -> Format? {
        switch self {
        case .null:
            return nil
        case .integer(let number):
            bytes += String(number).utf8
        case .real(let number):
            bytes += Self.text(of: number).utf8
        case .text(let text):
            bytes += Self.withoutZero(text).utf8
        case .integers(let numbers):
            Self.encode(numbers, into: &bytes) { $1 += String($0).utf8 }
        case .reals(let numbers):
            Self.encode(numbers, into: &bytes) { $1 += Self.text(of: $0).utf8 }
        case .literals(let literals):
            Self.encode(literals, into: &bytes) { Self.quote($0, into: &$1) }
        case .texts(let texts):
            Self.encode(texts, into: &bytes)
            return .binary
        }
        return .text
    }

    private static func text(of number: Double) -> String {
        if number.isNaN { return "NaN" }
        guard number.isFinite else { return number < 0 ? "-Infinity" : "Infinity" }
        return String(number)
    }

    private static func withoutZero(_ text: String) -> String {
        guard text.utf8.span.contains(0) else { return text }
        // Not by characters: one may consist of the byte and a combining mark.
        let scalars = text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    // MARK: Arrays as text

    private static func encode<Element>(
        _ elements: [Element],
        into bytes: inout [UInt8],
        element encode: (Element, inout [UInt8]) -> Void
    ) {
        bytes.append(UInt8(ascii: "{"))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            encode(element, &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends an element in quotation marks.
    private static func quote(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in withoutZero(text).utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(UInt8(ascii: "\\"))
            }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    // MARK: Arrays in the binary format

    /// The number of the type `text` in PostgreSQL's catalogue, which never changes.
    private static let textType: Int32 = 25

    /// Appends the number of dimensions, whether elements are `NULL`, the type, the bounds of the
    /// only dimension, and each element with its length.
    private static func encode(_ texts: [String?], into bytes: inout [UInt8]) {
        // An empty array has no dimension.
        append(texts.isEmpty ? 0 : 1, to: &bytes)
        append(texts.contains { $0 == nil } ? 1 : 0, to: &bytes)
        append(textType, to: &bytes)
        guard !texts.isEmpty else { return }
        append(Int32(clamping: texts.count), to: &bytes)
        append(1, to: &bytes)
        for text in texts {
            guard let text else {
                append(-1, to: &bytes)
                continue
            }
            let element = withoutZero(text).utf8
            append(Int32(clamping: element.count), to: &bytes)
            bytes += element
        }
    }

    private static func append(_ number: Int32, to bytes: inout [UInt8]) {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
