internal import HTTPSemantics
public import HTTPTypes

extension HTTPField {
    /// Creates a field from untrusted text.
    ///
    /// `HTTPField(name:value:)` replaces illegal characters of the value with spaces. This
    /// initialiser throws instead, because a line end in a value can smuggle other fields into a
    /// request.
    ///
    /// - Throws: ``TransportError`` with the code `invalidRequest`. It names the field and the
    ///   position of the illegal character, and never contains the value.
    public init(validating name: String, value: String) throws(TransportError) {
        guard let fieldName = Name(name) else { throw Self.illegal(name) }
        try self.init(fieldName, validating: value)
    }

    /// Creates a field with a valid name and an unchecked value.
    package init(_ name: Name, validating value: String) throws(TransportError) {
        self.init(name: name, value: value)
        // `HTTPField` keeps legal values unchanged.
        guard self.value != value else { return }
        let bytes = value.utf8.span
        let illegal = bytes.firstIndex { $0 == 0x7f || ($0 < 0x20 && $0 != ASCII.tab) }
        if let illegal {
            throw .invalidRequest(
                "the value of the header field \(name) has an illegal character (number "
                    + "\(bytes[illegal])) at byte \(illegal)"
            )
        }
    }

    /// The error for an illegal name.
    private static func illegal(_ name: String) -> TransportError {
        guard !name.isEmpty else { return .invalidRequest("a header field has an empty name") }
        let position =
            name.utf8.span.firstIndex { !$0.isTokenByte }.map { " at byte \($0)" } ?? ""
        return .invalidRequest(
            "the header field name \(printable(name)) has an illegal character\(position)"
        )
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
