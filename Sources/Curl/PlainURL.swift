/// A URL that libcurl would give back letter by letter: most are such.
///
/// It has a scheme in lower case, a host name of small letters or an IPv4 address in its usual form,
/// perhaps a port other than its scheme's, and a path and a query of visible ASCII. Nothing in it would
/// be decoded, encoded, moved or left out. To read one costs a tenth of asking libcurl; all others are
/// left to ``CurlURL``.
package struct PlainURL {
    /// As it was given.
    private let text: String
    /// Where host and port stand in it, in bytes.
    private let authorityPlace: Range<Int>
    private let hostEnd: Int
    /// Whether it is `https`.
    package let isSecure: Bool
    /// The port, where it is named.
    package let port: UInt16?

    /// Fails where it isn't plain, whatever else it is.
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

    /// Whether the host ends in a dot, and is the same as without.
    package var endsInDot: Bool { text.utf8[place(hostEnd - 1)] == UInt8(ascii: ".") }

    /// Where path and query begin, in bytes.
    package var authorityEnd: Int { authorityPlace.upperBound }

    /// Whether the URL has a path: it is given back with one.
    package var hasPath: Bool { authorityEnd < text.utf8.count }

    /// Path and query, as a request line has them.
    package var pathAndQuery: String { hasPath ? String(text[place(authorityEnd)...]) : "/" }

    private func place(_ offset: Int) -> String.Index {
        text.utf8.index(text.startIndex, offsetBy: offset)
    }

    /// Where the authority begins.
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

    /// How long the host is, before the colon.
    private static func nameCount(_ authority: Span<UInt8>) -> Int {
        var end = 0
        while end < authority.count, authority[end] != UInt8(ascii: ":") { end += 1 }
        return end
    }

    private static func isPlainHost(_ host: Span<UInt8>) -> Bool {
        !host.isEmpty && host.count < 256 && (isPlainName(host) || isPlainAddress(host))
    }

    /// Whether it begins with a letter, as no address does.
    private static func isPlainName(_ host: Span<UInt8>) -> Bool {
        guard isSmallLetter(host[0]) else { return false }
        for index in host.indices {
            let byte = host[index]
            guard
                isSmallLetter(byte) || byte.isASCIIDigit || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: ".")
            else { return false }
        }
        return true
    }

    /// Whether it is four numbers, none with more digits than it needs.
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

    /// Whether it is visible ASCII without a fragment, and its query, if it has one, isn't empty.
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
