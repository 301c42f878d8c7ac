internal import Foundation

/// What a `data:` URL stands for (RFC 2397).
struct DataURL: Sendable, Hashable {
    /// In small letters, without parameters. `text/plain` where the URL gives none, or none that is
    /// one.
    let mimeType: String
    /// In small letters. `us-ascii` where the URL gives no media type at all, as the RFC says; `nil`
    /// where it gives one without a charset.
    let textEncodingName: String?
    let content: Data

    /// `nil` if the URL has another scheme or no comma, or if what is coded in it can't be decoded:
    /// percent signs that two hexadecimal digits don't follow, or what isn't Base64 where the URL
    /// says that it is. White space in Base64 and missing padding are passed over.
    init?(_ url: URL) {
        guard url.scheme?.equalsIgnoringASCIICase("data") ?? false else { return nil }
        // Everything else, a query's question mark too, is part of the data.
        let text = url.absoluteString.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()
            .prefix { $0 != UInt8(ascii: "#") }
        guard let comma = text.firstIndex(of: UInt8(ascii: ",")),
            let head = PercentCoding.decode(text[..<comma]),
            let body = PercentCoding.decode(text[text.index(after: comma)...])
        else { return nil }
        var type = String(decoding: head, as: UTF8.self)
        let isBase64 = Self.removeBase64(from: &type)
        guard let content = isBase64 ? Self.base64Decoded(body) : Data(body) else { return nil }
        self.content = content
        let media = ParameterizedValue(type)
        mimeType = Self.isMediaType(media.value) ? media.value.lowercased() : "text/plain"
        let charset = media["charset"].flatMap { $0.isEmpty ? nil : $0.lowercased() }
        textEncodingName = charset ?? (type.trimmingFieldWhitespace.isEmpty ? "us-ascii" : nil)
    }

    /// Whether `base64` was the last parameter, without a value; it isn't part of the media type.
    private static func removeBase64(from type: inout String) -> Bool {
        guard let semicolon = type.lastIndex(of: ";") else { return false }
        let last = String(type[type.index(after: semicolon)...]).trimmingFieldWhitespace
        guard last.equalsIgnoringASCIICase("base64") else { return false }
        type = String(type[..<semicolon])
        return true
    }

    private static func base64Decoded(_ text: [UInt8]) -> Data? {
        var digits = text.filter { !" \t\n\r\u{c}".utf8.contains($0) }
        if digits.count.isMultiple(of: 4) {
            for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        }
        // One digit is 6 bits: less than a byte.
        guard digits.count % 4 != 1, !digits.contains(UInt8(ascii: "=")) else { return nil }
        while !digits.count.isMultiple(of: 4) { digits.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(digits))
    }

    /// Whether it is two tokens with a slash between them (RFC 9110, 8.3.1).
    private static func isMediaType(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isTokenCharacter) }
    }
}

extension UInt8 {
    /// Whether it may stand in a token (RFC 9110, 5.6.2).
    fileprivate var isTokenCharacter: Bool {
        isASCIILetter || isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
}
