/// A URL that needs no rules to be taken apart, as most do: `http` or `https`, a host in small letters or
/// four numbers, a path of characters that stay as they are.
///
/// The engine's own way to read a URL costs more than the rest of a small request's preparation. What
/// isn't plain is left to that.
struct PlainURL: Equatable {
    let scheme: String
    /// Host and port. A port that is the scheme's own isn't plain.
    let authority: String
    /// Path and query.
    let path: String

    /// `nil` for what isn't plain.
    init?(_ text: String) {
        let bytes = text.utf8.span
        let isSecure = bytes.begins(with: "https://")
        guard isSecure || bytes.begins(with: "http://") else { return nil }
        let start = isSecure ? 8 : 7
        guard let slash = Self.endOfAuthority(bytes, from: start, isSecure: isSecure) else {
            return nil
        }
        for index in slash..<bytes.count where !bytes[index].isPlainInPath { return nil }
        guard let authority = try? UTF8Span(validating: bytes.extracting(start..<slash)),
            let path = try? UTF8Span(validating: bytes.extracting(slash..<bytes.count))
        else { return nil }
        scheme = isSecure ? "https" : "http"
        self.authority = String(copying: authority)
        self.path = String(copying: path)
    }

    /// Where the slash behind a plain host and port is; `nil` where there is none, or they aren't plain.
    private static func endOfAuthority(
        _ bytes: Span<UInt8>,
        from start: Int,
        isSecure: Bool
    ) -> Int? {
        var index = start
        while index < bytes.count, bytes[index].isPlainInHost { index += 1 }
        guard isPlainHost(bytes.extracting(start..<index)), index < bytes.count else { return nil }
        if bytes[index] == UInt8(ascii: ":") {
            var port = 0
            let first = index + 1
            index = first
            while index < bytes.count, bytes[index].isASCIIDigit, port <= 65_535 {
                port = port * 10 + Int(bytes[index] & 15)
                index += 1
            }
            guard index > first, bytes[first] != UInt8(ascii: "0"), port <= 65_535,
                port != (isSecure ? 443 : 80), index < bytes.count
            else { return nil }
        }
        return bytes[index] == UInt8(ascii: "/") ? index : nil
    }

    /// Whether this is a name whose last label has a letter, or an IPv4 address in its usual form.
    private static func isPlainHost(_ host: Span<UInt8>) -> Bool {
        var labels = 0
        var number = 0
        var length = 0
        var hasLetter = false
        var areNumbersPlain = true
        for index in 0...host.count {
            guard index < host.count, host[index] != UInt8(ascii: ".") else {
                if length == 0 { return false }
                labels += 1
                areNumbersPlain = areNumbersPlain && number <= 255
                if index == host.count { break }
                (number, length, hasLetter) = (0, 0, false)
                continue
            }
            let byte = host[index]
            // A leading zero means octal to some.
            if length > 0, number == 0, !hasLetter { areNumbersPlain = false }
            if byte.isASCIIDigit {
                number = min(1000, number * 10 + Int(byte & 15))
            } else {
                hasLetter = hasLetter || byte.isASCIILetter
                areNumbersPlain = false
            }
            length += 1
        }
        return hasLetter || (areNumbersPlain && labels == 4)
    }
}

extension UInt8 {
    /// A small letter, a digit, a hyphen or a dot.
    fileprivate var isPlainInHost: Bool {
        isASCIIDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
    }

    /// What RFC 3986 (3.3 and 3.4) lets stand in a path or a query as it is.
    fileprivate var isPlainInPath: Bool {
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ";"),
            UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            isASCIILetter
        }
    }
}

extension Span<UInt8> {
    fileprivate func begins(with text: String) -> Bool {
        let text = text.utf8.span
        guard count >= text.count else { return false }
        for index in text.indices where self[index] != text[index] { return false }
        return true
    }
}
