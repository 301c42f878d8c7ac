extension String {
    /// Whether both strings are equal, ignoring the case of ASCII letters.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        let (one, another) = (utf8.span, other.utf8.span)
        guard one.count == another.count else { return false }
        for index in one.indices where one[index] != another[index] {
            guard one[index].lowercasedASCII == another[index].lowercasedASCII else { return false }
        }
        return true
    }

    /// The name of a field with every word capitalized: `x-api-KEY` becomes `X-Api-Key`.
    ///
    /// Foundation writes names this way, and programs look them up in its dictionaries. A letter
    /// that doesn't follow a letter starts a word; `'`, `^` and `` ` `` are part of a word.
    package var capitalizedFieldName: String {
        let bytes = utf8.span
        guard !bytes.isCapitalized else { return self }
        // Nearly all names fit in here, without a heap allocation.
        var memory = InlineArray<64, UInt8>(repeating: 0)
        guard bytes.count <= memory.count else {
            var memory = [UInt8](repeating: 0, count: bytes.count)
            var spelled = memory.mutableSpan
            bytes.capitalize(into: &spelled)
            return String(decoding: memory, as: UTF8.self)
        }
        var spelled = memory.mutableSpan
        bytes.capitalize(into: &spelled)
        // The UTF-8 stays valid: only ASCII letters have changed.
        guard let text = try? UTF8Span(validating: memory.span.extracting(0..<bytes.count)) else {
            return self
        }
        return String(copying: text)
    }
}

extension StringProtocol {
    /// Without leading and trailing spaces and tabs (RFC 9110, 5.5).
    package var trimmingFieldWhitespace: String {
        let isSpace: (UInt8) -> Bool = { $0 == ASCII.space || $0 == ASCII.tab }
        let rest = Substring(self).utf8.drop(while: isSpace)
        guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(rest[...last]))
    }
}

/// Scans a name from its start and capitalizes it.
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
