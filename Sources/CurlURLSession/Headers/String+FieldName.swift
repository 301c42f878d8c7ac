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
        var isInWord = false
        var isChanged = false
        var spelled: [UInt8] = []
        spelled.reserveCapacity(bytes.count)
        for index in bytes.indices {
            let byte = bytes[index]
            let letter = isInWord ? byte.lowercasedASCII : byte.uppercasedASCII
            spelled.append(letter)
            isChanged = isChanged || letter != byte
            isInWord =
                letter.isASCIILetter || letter > 0x7f || (isInWord && Self.continuesWord(byte))
        }
        return isChanged ? String(decoding: spelled, as: UTF8.self) : self
    }

    private static func continuesWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "'") || byte == UInt8(ascii: "^") || byte == UInt8(ascii: "`")
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
