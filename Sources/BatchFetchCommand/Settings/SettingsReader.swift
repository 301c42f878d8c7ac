/// Reads keys and values from a settings file.
///
/// The format is the part of TOML that settings need (<https://toml.io/en/v1.0.0>): strings of all
/// four kinds, numbers, booleans and arrays of these. A table, a date or an array in an array is an
/// error, because no setting has such a value.
///
/// TOML is read here, and not by a library, because the one library for Swift, a wrapper of a C++
/// one, ends the process at an assertion when a file has certain mistakes.
struct SettingsReader {
    /// The value of a key.
    enum Value: Sendable, Equatable {
        case string(String)
        case integer(Int64)
        case number(Double)
        case boolean(Bool)
        case array([Value])
    }

    /// A mistake in the file.
    struct Mistake: Error, Equatable {
        /// From 1.
        let line: Int
        let reason: String
    }

    private let bytes: [UInt8]
    private var place = 0
    /// The line of the next byte, from 1.
    private var line = 1

    init(_ text: String) {
        bytes = Array(text.utf8)
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { place = 3 }
    }

    /// Returns the next key with its line and value; `nil` at the end of the file.
    mutating func next() throws(Mistake) -> (key: String, line: Int, value: Value)? {
        skipEmptyLines()
        guard let first else { return nil }
        let line = line
        let isTable = first == UInt8(ascii: "[")
        if isTable {
            while take("[") {}
            skipBlanks()
        }
        let key = try key()
        guard !isTable else {
            throw mistake("“\(key)” is not a setting, but a table: write settings in no table")
        }
        guard take("=") else { throw mistake("“=” must follow “\(key)”") }
        skipBlanks()
        let value = try value(of: key)
        skipBlanks()
        skipComment()
        guard self.first == nil || takeNewline() else {
            throw mistake("nothing may follow the value of “\(key)” on its line")
        }
        return (key, line, value)
    }

    private func mistake(_ reason: String) -> Mistake { Mistake(line: line, reason: reason) }

    // MARK: Bytes

    private var first: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// Takes the next byte, if it is this one.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard first == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    /// Takes a line feed, with a carriage return before it or without.
    private mutating func takeNewline() -> Bool {
        let rest = bytes[place...]
        guard rest.first == 0x0a || rest.starts(with: [0x0d, 0x0a]) else { return false }
        place += rest.first == 0x0a ? 1 : 2
        line += 1
        return true
    }

    private mutating func skipBlanks() {
        while take(" ") || take("\t") {}
    }

    private mutating func skipComment() {
        guard take("#") else { return }
        while let first, first != 0x0a { place += 1 }
    }

    private mutating func skipEmptyLines() {
        repeat {
            skipBlanks()
            skipComment()
        } while takeNewline()
    }

    /// Takes the following bytes as long as they meet the condition.
    private mutating func takeAll(where isTaken: (UInt8) -> Bool) -> String {
        let taken = bytes[place...].prefix(while: isTaken)
        place = taken.endIndex
        return String(decoding: taken, as: UTF8.self)
    }

    // MARK: Keys

    /// A key, also of several names with dots between them.
    private mutating func key() throws(Mistake) -> String {
        var key = try name()
        skipBlanks()
        while take(".") {
            skipBlanks()
            key += "." + (try name())
            skipBlanks()
        }
        return key
    }

    private mutating func name() throws(Mistake) -> String {
        if take("\"") { return try escapedLine() }
        if take("'") { return try literalLine() }
        let name = takeAll { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard !name.isEmpty else { throw mistake("a line must begin with the name of a setting") }
        return name
    }

    // MARK: Values

    /// Settings whose values may be secrets, which errors mustn't repeat.
    static let secrets: Set = ["header", "proxy", "user"]

    private mutating func value(of key: String) throws(Mistake) -> Value {
        do throws(Mistake) {
            return try value()
        } catch {
            guard Self.secrets.contains(key) else { throw error }
            throw Mistake(line: error.line, reason: "“\(key)” needs valid text in quotes")
        }
    }

    private mutating func value() throws(Mistake) -> Value {
        switch first {
        case UInt8(ascii: "\""):
            return .string(try takeThree("\"") ? escapedLines() : escapedLine())
        case UInt8(ascii: "'"):
            return .string(try takeThree("'") ? literalLines() : literalLine())
        case UInt8(ascii: "["):
            place += 1
            return .array(try elements())
        default:
            return try word()
        }
    }

    /// The elements of an array, whose bracket was taken. They may be on several lines.
    private mutating func elements() throws(Mistake) -> [Value] {
        var elements: [Value] = []
        while true {
            skipEmptyLines()
            if take("]") { return elements }
            guard first != UInt8(ascii: "[") else {
                throw mistake("an array in an array is no value of a setting")
            }
            elements.append(try value())
            skipEmptyLines()
            guard take(",") || first == UInt8(ascii: "]") else {
                throw mistake("a comma or “]” must follow a value in an array")
            }
        }
    }

    /// A number or a boolean.
    private mutating func word() throws(Mistake) -> Value {
        let word = takeAll { byte in
            switch byte {
            case 0x00...0x20, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "#"): false
            default: true
            }
        }
        switch word {
        case "": throw mistake("a value is missing")
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        guard let number = SettingsNumber.value(of: word) else {
            throw mistake("“\(word)” is no number: write text in quotes")
        }
        return number
    }
}

// MARK: - Strings

extension SettingsReader {
    /// Takes three quotes, or the first of fewer.
    private mutating func takeThree(_ quote: Unicode.Scalar) -> Bool {
        let byte = UInt8(ascii: quote)
        let isThree = bytes[place...].starts(with: [byte, byte, byte])
        place += isThree ? 3 : 1
        return isThree
    }

    /// Appends the next byte of a string.
    ///
    /// - Throws: For a control character, and at the end of the file.
    private mutating func append(to text: inout [UInt8]) throws(Mistake) {
        guard let first else { throw mistake("the closing quotes of a string are missing") }
        guard first != 0 else { throw mistake("a setting contains a NUL: remove it") }
        guard first >= 0x20 && first != 0x7f || first == 0x09 else {
            throw mistake(
                first == 0x0a || first == 0x0d
                    ? "the closing quote must be on the same line"
                    : "a string contains a control character: write it as an escape"
            )
        }
        text.append(first)
        place += 1
    }

    /// A string in apostrophes.
    private mutating func literalLine() throws(Mistake) -> String {
        var text: [UInt8] = []
        while !take("'") { try append(to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// A string in quotes, with escapes.
    private mutating func escapedLine() throws(Mistake) -> String {
        var text: [UInt8] = []
        while !take("\"") {
            if take("\\") {
                text += Array("\(try escape())".utf8)
            } else {
                try append(to: &text)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A string in three apostrophes, on several lines.
    private mutating func literalLines() throws(Mistake) -> String {
        var text: [UInt8] = []
        _ = takeNewline()
        while try !takeEnd("'", of: &text) {
            if !appendNewline(to: &text) { try append(to: &text) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A string in three quotes, on several lines, with escapes.
    private mutating func escapedLines() throws(Mistake) -> String {
        var text: [UInt8] = []
        _ = takeNewline()
        while try !takeEnd("\"", of: &text) {
            if take("\\") {
                if !skipBrokenLine() { text += Array("\(try escape())".utf8) }
            } else if !appendNewline(to: &text) {
                try append(to: &text)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func appendNewline(to text: inout [UInt8]) -> Bool {
        guard takeNewline() else { return false }
        text.append(0x0a)
        return true
    }

    /// Takes quotes: three end the string, and up to two before them belong to it.
    private mutating func takeEnd(
        _ quote: Unicode.Scalar,
        of text: inout [UInt8]
    ) throws(Mistake) -> Bool {
        let byte = UInt8(ascii: quote)
        let count = bytes[place...].prefix { $0 == byte }.count
        guard count <= 5 else { throw mistake("there are too many quotes") }
        place += count
        text += [UInt8](repeating: byte, count: count < 3 ? count : count - 3)
        return count >= 3
    }

    /// Skips the end of a line behind a backslash, and the blanks of the lines after it.
    private mutating func skipBrokenLine() -> Bool {
        let start = place
        skipBlanks()
        guard takeNewline() else {
            place = start
            return false
        }
        repeat { skipBlanks() } while takeNewline()
        return true
    }

    /// The character of an escape, whose backslash was taken.
    private mutating func escape() throws(Mistake) -> Unicode.Scalar {
        let character = first.map { Unicode.Scalar($0) } ?? " "
        place += first == nil ? 0 : 1
        switch character {
        case "b": return "\u{8}"
        case "t": return "\t"
        case "n": return "\n"
        case "f": return "\u{c}"
        case "r": return "\r"
        case "\"", "\\": return character
        case "u", "U":
            let digits = bytes[place...].prefix(character == "u" ? 4 : 8)
            let isValid = digits.count == (character == "u" ? 4 : 8)
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
            guard isValid, digits.first != UInt8(ascii: "+"), let number,
                let scalar = Unicode.Scalar(number)
            else { throw mistake("an escape names no character") }
            guard number != 0 else { throw mistake("a setting contains a NUL: remove it") }
            place = digits.endIndex
            return scalar
        default:
            throw mistake("an escape is invalid: write a backslash as “\\\\”")
        }
    }
}

// MARK: - Numbers

/// The numbers of settings files: TOML's integers in four bases, and its floating-point numbers.
enum SettingsNumber {
    /// The number of a word; `nil` if it is none, or an integer that doesn't fit into 64 bits.
    static func value(of word: String) -> SettingsReader.Value? {
        guard word.utf8.count <= 100 else { return nil }
        let digits = word.replacing("_", with: "")
        for (radix, pattern) in bases where word.wholeMatch(of: pattern) != nil {
            return Int64(radix == 10 ? digits : String(digits.dropFirst(2)), radix: radix)
                .map { .integer($0) }
        }
        guard
            word.wholeMatch(
                of: /[+-]?(0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?([eE][+-]?[0-9](_?[0-9])*)?/
            ) != nil
                || word.wholeMatch(of: /[+-]?(inf|nan)/) != nil
        else { return nil }
        return Double(digits).map { .number($0) }
    }

    private static var bases: [(radix: Int, pattern: Regex<AnyRegexOutput>)] {
        [
            (10, Regex(/[+-]?(0|[1-9](_?[0-9])*)/)),
            (16, Regex(/0x[0-9A-Fa-f](_?[0-9A-Fa-f])*/)),
            (8, Regex(/0o[0-7](_?[0-7])*/)),
            (2, Regex(/0b[01](_?[01])*/)),
        ]
    }
}
