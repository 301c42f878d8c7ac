public import HTTPTypes

extension HTTPField {
    /// Creates a field from text that may come from outside.
    ///
    /// `HTTPField(name:value:)` turns illegal characters of the value into spaces; here they are
    /// an error, since a line end in a value is how other fields are smuggled into a request.
    ///
    /// - Throws: ``TransportError`` with the code `invalidRequest`, which names the field and the
    ///   position of the illegal character, and never the value.
    public init(validating name: String, value: String) throws(TransportError) {
        guard !name.isEmpty else {
            throw .invalidRequest("a header field has an empty name")
        }
        if let offset = name.utf8.span.firstIndex(where: { !$0.isTokenByte }) {
            throw .invalidRequest(
                "the header field name \(Self.printable(name)) has an illegal character "
                    + "at byte \(offset)"
            )
        }
        guard let fieldName = Name(name) else {
            throw .invalidRequest("the header field name \(Self.printable(name)) is illegal")
        }
        let bytes = value.utf8.span
        let illegal = bytes.firstIndex { $0 == 0x7f || ($0 < 0x20 && $0 != ASCII.tab) }
        if let illegal {
            throw .invalidRequest(
                "the value of the header field \(name) has an illegal character (number "
                    + "\(bytes[illegal])) at byte \(illegal)"
            )
        }
        self.init(name: fieldName, value: value)
    }

    private static func printable(_ name: String) -> String {
        let bytes = name.utf8.prefix(60).map { $0 > 0x20 && $0 < 0x7f ? $0 : UInt8(ascii: ".") }
        return "\"\(String(decoding: bytes, as: UTF8.self))\""
    }
}

extension Span<UInt8> {
    fileprivate func firstIndex(where isWanted: (UInt8) -> Bool) -> Int? {
        for index in indices where isWanted(self[index]) { return index }
        return nil
    }
}
