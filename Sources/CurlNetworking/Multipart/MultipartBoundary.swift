/// What stands between the parts of a multipart form (RFC 2046, 5.1.1).
struct MultipartBoundary: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// One that hardly any content has in it.
    init(using generator: inout some RandomNumberGenerator) {
        let number = UInt64.random(in: 0 ... .max, using: &generator)
        let digits = String(number, radix: 16, uppercase: true)
        text = "Boundary+" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Before the first part.
    var initial: String { "--\(text)\r\n" }
    /// Between two parts.
    var encapsulation: String { "\r\n--\(text)\r\n" }
    /// After the last part.
    var final: String { "\r\n--\(text)--\r\n" }
}
