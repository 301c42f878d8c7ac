/// Parses a JSON text strictly (RFC 8259).
struct JSONParser {
    /// What is wrong, and at which byte.
    struct Failure: Error, Hashable {
        let reason: String
        let position: Int
    }

    /// The maximum depth of arrays and objects.
    static let maximumDepth = 128

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The value of a whole text in UTF-8.
    static func parse(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
        var parser = JSONParser(bytes)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.failure("another value follows") }
        return value
    }

    private func failure(_ reason: String) -> Failure {
        Failure(reason: reason, position: position)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(Failure) -> JSONValue {
        guard depth < Self.maximumDepth else { throw failure("it is nested too deeply") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw failure("it ends too early")
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(Failure) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else {
            throw failure("there is no JSON value")
        }
        position += word.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(Failure) -> JSONValue {
        position += 1
        var members: [JSONValue.Member] = []
        if take(UInt8(ascii: "}")) { return .object([]) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw failure("a member has no name") }
            let name = try string()
            guard take(UInt8(ascii: ":")) else { throw failure("a colon is missing") }
            members.append(.init(name: name, value: try value(depth: depth + 1)))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw failure("an object has no end") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Failure) -> JSONValue {
        position += 1
        var values: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .array([]) }
        repeat { values.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw failure("an array has no end") }
        return .array(values)
    }

    private mutating func number() throws(Failure) -> String {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let leading = next
        let whole = digits()
        guard whole > 0, whole == 1 || leading != UInt8(ascii: "0") else {
            position = start
            throw failure("there is no JSON value")
        }
        if next == UInt8(ascii: ".") {
            position += 1
            guard digits() > 0 else { throw failure("a number has no fraction") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            guard digits() > 0 else { throw failure("a number has no exponent") }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = next, byte >= 0x30, byte <= 0x39 { position += 1 }
        return position - start
    }

    // MARK: Strings

    private mutating func string() throws(Failure) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw failure("a string isn't UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): text.append(contentsOf: try escaped())
            case 0..<0x20: throw failure("a string has a control character")
            default: text.append(byte)
            }
        }
        throw failure("a string has no end")
    }

    private mutating func escaped() throws(Failure) -> [UInt8] {
        guard let byte = next else { throw failure("a string has no end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
        default: throw failure("a string has an unknown escape")
        }
    }

    /// A character as one or two groups of four digits.
    private mutating func scalar() throws(Failure) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
        guard first < 0xDC00, next == UInt8(ascii: "\\") else {
            throw failure("a string has half a character")
        }
        position += 1
        guard next == UInt8(ascii: "u") else { throw failure("a string has half a character") }
        position += 1
        let second = try unit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(
                0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            )
        else { throw failure("a string has half a character") }
        return scalar
    }

    private mutating func unit() throws(Failure) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure("an escape has no four digits") }
        position += 4
        return unit
    }
}
