extension String {
    /// Whether both are the same but for the case of ASCII letters.
    func equalsIgnoringASCIICase(_ other: String) -> Bool {
        let (one, another) = (utf8.span, other.utf8.span)
        guard one.count == another.count else { return false }
        for index in one.indices where one[index] != another[index] {
            guard one[index].lowercasedASCII == another[index].lowercasedASCII else { return false }
        }
        return true
    }

    /// The name of a field with every word capitalized: `x-api-KEY` becomes `X-Api-Key`.
    ///
    /// It is how Foundation spells names, which programs look up in its dictionaries. Words begin
    /// where a letter doesn't follow a letter; `'`, `^` and `` ` `` are part of a word.
    var capitalizedFieldName: String {
        let bytes = utf8.span
        guard !bytes.isCapitalized else { return self }
        // Nearly all names fit in here, and need no memory from elsewhere.
        var memory = InlineArray<64, UInt8>(repeating: 0)
        guard bytes.count <= memory.count else {
            var memory = [UInt8](repeating: 0, count: bytes.count)
            var spelled = memory.mutableSpan
            bytes.capitalize(into: &spelled)
            return String(decoding: memory, as: UTF8.self)
        }
        var spelled = memory.mutableSpan
        bytes.capitalize(into: &spelled)
        // It is as good UTF-8 as before: nothing has changed but ASCII letters.
        guard let text = try? UTF8Span(validating: memory.span.extracting(0..<bytes.count)) else {
            return self
        }
        return String(copying: text)
    }

    /// Without spaces and tabs at both ends (RFC 9110, 5.5).
    var trimmingFieldWhitespace: String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let bytes = utf8
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[first..<bytes.index(after: last)])
    }
}

/// Reads a name from its beginning, and tells how its letters are written.
private struct Capitalization {
    private var isInWord = false

    mutating func spelling(of byte: UInt8) -> UInt8 {
        let small = byte | 0x20
        guard small &- UInt8(ascii: "a") < 26 else {
            isInWord = byte > 0x7f || (isInWord && Self.continuesWord(byte))
            return byte
        }
        defer { isInWord = true }
        return isInWord ? small : small & ~0x20
    }

    private static func continuesWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "'") || byte == UInt8(ascii: "^") || byte == UInt8(ascii: "`")
    }
}

extension Span<UInt8> {
    fileprivate var isCapitalized: Bool {
        var capitalization = Capitalization()
        for index in indices where capitalization.spelling(of: self[index]) != self[index] {
            return false
        }
        return true
    }

    fileprivate func capitalize(into spelled: inout MutableSpan<UInt8>) {
        var capitalization = Capitalization()
        for index in indices { spelled[index] = capitalization.spelling(of: self[index]) }
    }
}
