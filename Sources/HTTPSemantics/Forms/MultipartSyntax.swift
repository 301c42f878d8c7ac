/// The header fields of a part of a multipart form (RFC 7578, 4.2 and 4.4).
package enum MultipartSyntax {
    /// The value of a part's `Content-Disposition`.
    ///
    /// - Parameter fileName: `nil` for a part that isn't a file.
    package static func disposition(name: String, fileName: String? = nil) -> String {
        let file = fileName.map { "; filename=\"\(escaped($0))\"" } ?? ""
        return "form-data; name=\"\(escaped(name))\"\(file)"
    }

    /// The value of a part's `Content-Type`.
    package static func contentType(_ mediaType: String) -> String {
        escaped(mediaType, quote: "\"")
    }

    /// The media type of the whole form.
    package static func mediaType(boundary: MultipartBoundary) -> String {
        "multipart/form-data; boundary=\(boundary.text)"
    }

    /// Escapes quotation marks and line ends as browsers do (WHATWG HTML, 4.10.21.8).
    ///
    /// - Parameter quote: The replacement for `"`.
    private static func escaped(_ text: String, quote: String = "%22") -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": quote
            case "\r": "%0D"
            case "\n": "%0A"
            default: String(scalar)
            }
        }.joined()
    }
}

/// The delimiter between the parts of a multipart form (RFC 2046, 5.1.1).
package struct MultipartBoundary: Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Creates a random boundary of 64 bits.
    ///
    /// Content almost never contains it.
    package init(using generator: inout some RandomNumberGenerator) {
        let number = UInt64.random(in: 0 ... .max, using: &generator)
        let digits = String(number, radix: 16, uppercase: true)
        text = "Boundary+" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Before the first part.
    package var initial: String { "--\(text)\r\n" }
    /// Between two parts.
    package var encapsulation: String { "\r\n--\(text)\r\n" }
    /// After the last part.
    package var final: String { "\r\n--\(text)--\r\n" }
}
