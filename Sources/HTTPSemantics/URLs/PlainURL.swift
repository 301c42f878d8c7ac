/// A URL that libcurl wouldn't change in any character, as most are.
///
/// It has a scheme in lower case, a host name in lower case or a normalised IPv4 address,
/// optionally a port other than the scheme's default, and a path and query of visible ASCII.
/// Nothing in it needs decoding, encoding, moving or removing. Parsing it takes a tenth of
/// libcurl's time. libcurl parses all other URLs.
package struct PlainURL {
    /// The original text.
    private let text: String
    /// The byte range of host and port in the text.
    private let authorityPlace: Range<Int>
    private let hostEnd: Int
    /// Whether the scheme is `https`.
    package let isSecure: Bool
    /// The port in the URL; nil if there is none.
    package let port: UInt16?

    /// Parses a URL. Nil if it isn't plain, even if it is valid.
    package init?(_ text: String) {
        let bytes = text.utf8.span
        guard let start = Self.schemeEnd(bytes) else { return nil }
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
        isSecure = start == 8
        let authority = bytes.extracting(start..<end)
        let nameCount = Self.nameCount(authority)
        guard Self.isPlainHost(authority.extracting(0..<nameCount)),
            Self.isPlainPath(bytes.extracting(end..<bytes.count))
        else { return nil }
        if nameCount < authority.count {
            let digits = authority.extracting((nameCount + 1)..<authority.count)
            guard let number = Self.number(in: digits, upTo: 65_535), number > 0,
                number != (isSecure ? 443 : 80)
            else { return nil }
            port = UInt16(number)
        } else {
            port = nil
        }
        self.text = text
        authorityPlace = start..<end
        hostEnd = start + nameCount
    }

    /// `http` or `https`.
    package var scheme: String { isSecure ? "https" : "http" }

    /// Host and port.
    package var authority: String {
        String(text[place(authorityPlace.lowerBound)..<place(authorityEnd)])
    }

    /// Whether the host ends in a dot, which doesn't change its meaning.
    package var endsInDot: Bool { text.utf8[place(hostEnd - 1)] == UInt8(ascii: ".") }

    /// The byte offset of path and query.
    package var authorityEnd: Int { authorityPlace.upperBound }

    /// Whether the URL has a path. libcurl adds a missing one.
    package var hasPath: Bool { authorityEnd < text.utf8.count }

    /// Path and query, as in a request line.
    package var pathAndQuery: String { hasPath ? String(text[place(authorityEnd)...]) : "/" }

    private func place(_ offset: Int) -> String.Index {
        text.utf8.index(text.startIndex, offsetBy: offset)
    }

    /// The byte offset of the authority.
    private static func schemeEnd(_ bytes: Span<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] {
            let name = scheme.utf8.span
            guard bytes.count > name.count else { return nil }
            var index = 0
            while index < name.count, bytes[index] == name[index] { index += 1 }
            if index == name.count { return index }
        }
        return nil
    }

    /// The length of the host, before the colon.
    private static func nameCount(_ authority: Span<UInt8>) -> Int {
        var end = 0
        while end < authority.count, authority[end] != UInt8(ascii: ":") { end += 1 }
        return end
    }

    private static func isPlainHost(_ host: Span<UInt8>) -> Bool {
        !host.isEmpty && host.count <= 253 && (isPlainName(host) || isPlainAddress(host))
    }

    /// Whether the host is a lower-case name. It begins with a letter, unlike an address.
    private static func isPlainName(_ host: Span<UInt8>) -> Bool {
        guard isSmallLetter(host[0]) else { return false }
        let dot = UInt8(ascii: ".")
        for index in host.indices {
            let byte = host[index]
            guard
                isSmallLetter(byte) || byte.isASCIIDigit || byte == UInt8(ascii: "-")
                    || byte == dot
            else { return false }
        }
        // Newer versions of libcurl refuse a name that ends in two dots.
        return host.count < 2 || host[host.count - 1] != dot || host[host.count - 2] != dot
    }

    /// Whether the host is four numbers without leading zeros.
    private static func isPlainAddress(_ host: Span<UInt8>) -> Bool {
        var (start, count) = (0, 0)
        while start <= host.count {
            var end = start
            while end < host.count, host[end] != UInt8(ascii: ".") { end += 1 }
            guard number(in: host.extracting(start..<end), upTo: 255) != nil else { return false }
            count += 1
            start = end + 1
        }
        return count == 4
    }

    private static func number(in digits: Span<UInt8>, upTo limit: Int) -> Int? {
        guard 1...5 ~= digits.count, digits[0] != UInt8(ascii: "0") || digits.count == 1
        else { return nil }
        var number = 0
        for index in digits.indices {
            guard digits[index].isASCIIDigit else { return nil }
            number = number * 10 + Int(digits[index] - UInt8(ascii: "0"))
        }
        return number <= limit ? number : nil
    }

    /// Whether the path is visible ASCII without a fragment, and has no empty query.
    private static func isPlainPath(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count < 1 << 16 else { return false }
        var mark: Int?
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") else { return false }
            if mark == nil, byte == UInt8(ascii: "?") { mark = index }
        }
        return mark != bytes.count - 1
    }

    private static func isSmallLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
