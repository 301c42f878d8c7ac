internal import Foundation
internal import HTTPSemantics

/// The decoded content of a `data:` URL (RFC 2397).
struct DataURL: Sendable, Hashable {
    /// In lower case, without parameters. `text/plain` if the URL has no valid media type.
    let mimeType: String
    /// In lower case. `us-ascii` if the URL has no media type (RFC 2397); `nil` if its media type
    /// has no charset.
    let textEncodingName: String?
    let content: Data

    /// Parses a `data:` URL.
    ///
    /// Returns `nil` for another scheme, a missing comma, any percent escape before the comma, an
    /// invalid one after it, or invalid Base64 in a URL marked as Base64. Whitespace in Base64 and
    /// missing padding are accepted.
    init?(_ url: URL) {
        guard url.scheme?.equalsIgnoringASCIICase("data") ?? false else { return nil }
        // Everything up to the fragment is data, including a question mark.
        let text = url.absoluteString.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()
            .prefix { $0 != UInt8(ascii: "#") }
        guard let comma = text.firstIndex(of: UInt8(ascii: ",")),
            !text[..<comma].contains(UInt8(ascii: "%")),
            let body = PercentCoding.decode(text[text.index(after: comma)...])
        else { return nil }
        var type = String(decoding: text[..<comma], as: UTF8.self)
        let isBase64 = Self.removeBase64(from: &type)
        guard let content = isBase64 ? Self.base64Decoded(body) : Data(body) else { return nil }
        self.content = content
        let media = ParameterizedValue(type)
        mimeType = Self.isMediaType(media.value) ? media.value.lowercased() : "text/plain"
        let charset = media["charset"].flatMap { $0.isEmpty ? nil : $0.lowercased() }
        textEncodingName = charset ?? (type.trimmingFieldWhitespace.isEmpty ? "us-ascii" : nil)
    }

    /// Removes a final `base64` parameter without a value. It isn't part of the media type. Returns
    /// whether it was present.
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
        // One digit has 6 bits: less than a byte.
        guard digits.count % 4 != 1, !digits.contains(UInt8(ascii: "=")) else { return nil }
        while !digits.count.isMultiple(of: 4) { digits.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(digits))
    }

    /// Whether the text is two tokens around a slash (RFC 9110, 8.3.1).
    private static func isMediaType(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isTokenByte) }
    }
}

/// The content of a `data:` URL, read in pieces.
struct LocalData: LocalContent {
    let response: URLResponse
    private var rest: Data

    /// - Throws: `URLError` with `badURL` for an invalid URL.
    init(_ url: URL) throws {
        guard let data = DataURL(url) else {
            throw URLError(
                .badURL,
                url: url,
                reason: "the URL isn't a valid data URL (RFC 2397), or its data can't be decoded"
            )
        }
        rest = data.content
        response = URLResponse(
            url: url,
            mimeType: data.mimeType,
            expectedContentLength: data.content.count,
            textEncodingName: data.textEncodingName
        )
    }

    mutating func next() -> Data? {
        guard !rest.isEmpty else { return nil }
        let piece = rest.prefix(LocalLoader.pieceSize)
        rest = rest.dropFirst(piece.count)
        return piece
    }
}
