extension String {
    /// Whether both are the same but for the case of ASCII letters.
    func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy {
                $0 == $1 || $0.lowercasedASCII == $1.lowercasedASCII
            }
    }

    /// The name of a field with every word capitalized: `x-api-KEY` becomes `X-Api-Key`.
    ///
    /// It is how Foundation spells names, which programs look up in its dictionaries. Words begin
    /// where a letter doesn't follow a letter; `'`, `^` and `` ` `` are part of a word.
    var capitalizedFieldName: String {
        var isInWord = false
        var isChanged = false
        let bytes = utf8.map { byte in
            let spelled = isInWord ? byte.lowercasedASCII : byte.uppercasedASCII
            isChanged = isChanged || spelled != byte
            isInWord =
                spelled.isASCIILetter || spelled > 0x7f || (isInWord && "'^`".utf8.contains(byte))
            return spelled
        }
        return isChanged ? String(decoding: bytes, as: UTF8.self) : self
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
