/// A URL that libcurl would give back letter by letter: most are such.
///
/// It has a scheme in lower case, a host name of small letters or an IPv4 address in its usual form,
/// perhaps a port other than its scheme's, and a path and a query of visible ASCII. Nothing in it would
/// be decoded, encoded, moved or left out. To read one costs a tenth of asking libcurl; all others are
/// left to ``CurlURL``.
package struct PlainURL {
    /// `http` or `https`.
    package let scheme: String
    /// Host and port.
    package let authority: String
    /// Path and query, as a request line has them.
    package let pathAndQuery: String

    /// Fails where it isn't plain, whatever else it is.
    package init?(_ text: String) {
        let bytes = text.utf8.span
        guard let start = Self.schemeEnd(bytes) else { return nil }
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
        let isSecure = start == 8
        guard Self.isPlainAuthority(bytes.extracting(start..<end), isSecure: isSecure),
            Self.isPlainPath(bytes.extracting(end..<bytes.count))
        else { return nil }
        let places = text.utf8
        let first = places.index(places.startIndex, offsetBy: start)
        let last = places.index(places.startIndex, offsetBy: end)
        scheme = isSecure ? "https" : "http"
        authority = String(text[first..<last])
        pathAndQuery = end == bytes.count ? "/" : String(text[last...])
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

    private static func isPlainAuthority(_ bytes: Span<UInt8>, isSecure: Bool) -> Bool {
        var end = 0
        while end < bytes.count, bytes[end] != UInt8(ascii: ":") { end += 1 }
        let host = bytes.extracting(0..<end)
        guard !host.isEmpty, host.count < 256, isPlainName(host) || isPlainAddress(host)
        else { return false }
        guard end < bytes.count else { return true }
        guard let port = number(in: bytes.extracting((end + 1)..<bytes.count), upTo: 65_535)
        else { return false }
        return port != 0 && port != (isSecure ? 443 : 80)
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
