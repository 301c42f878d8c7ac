internal import HTTPSemantics
internal import Posix

// For callers that create their own type of response from a head.

extension ResponseHead {
    /// Whether there is a Set-Cookie field.
    package var setsCookies: Bool { framing.setsCookies }

    /// Whether there is one of the fields `Cache-Control`, `ETag`, `Expires` and `Last-Modified`.
    package var concernsCaches: Bool { framing.concernsCaches }

    /// Whether the content is compressed, or has another coding.
    package var isEncoded: Bool { framing.isEncoded }

    /// The names and values of all fields in their order.
    ///
    /// A value that isn't UTF-8 is decoded as ISO Latin 1, which is defined for all bytes.
    package var fieldLines: [(name: String, value: String)] {
        let lines = FieldLines(bytes)
        return lines.map { field in
            (
                String(decoding: bytes[field.name], as: UTF8.self),
                Self.text(lines.value(of: field))
            )
        }
    }

    /// The values of all fields with this name in any letter case, in order.
    ///
    /// Other fields aren't converted to strings.
    package func values(of name: String) -> [String] {
        let wanted = name.utf8.span
        let all = bytes.span
        let lines = FieldLines(bytes)
        var values: [String] = []
        for field in lines where all.extracting(field.name).isSameName(as: wanted) {
            values.append(Self.text(lines.value(of: field)))
        }
        return values
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        text.unicodeScalars.append(contentsOf: bytes.map { Unicode.Scalar($0) })
        return text
    }
}

extension Span<UInt8> {
    fileprivate func isSameName(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index].lowercasedASCII != other[index].lowercasedASCII {
            return false
        }
        return true
    }
}
