/// Rules of RFC 6265bis that need nothing except the text of a cookie and a URL.
package enum CookieRules {
    /// Whether `path` is `folder` or below it (5.1.4).
    package static func isPath(_ path: String, within folder: String) -> Bool {
        let bytes = path.utf8
        let prefix = folder.utf8
        guard bytes.starts(with: prefix) else { return false }
        let slash = UInt8(ascii: "/")
        return bytes.count == prefix.count || prefix.last == slash
            || bytes.dropFirst(prefix.count).first == slash
    }

    /// The default path of a cookie: the directory of the URL's path (5.1.4).
    package static func defaultPath(ofURLPath path: String) -> String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash != path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    /// Whether `host` is `domain` or a subdomain of it (5.1.3). Both are in canonical form.
    ///
    /// - Parameter isAddress: Whether the host is an IP address, which has no subdomains.
    package static func isHost(_ host: String, within domain: String, isAddress: Bool) -> Bool {
        let bytes = host.utf8
        let suffix = domain.utf8
        let rest = bytes.count - suffix.count
        guard rest > 0 else { return bytes.elementsEqual(suffix) }
        return !isAddress && bytes.dropFirst(rest).elementsEqual(suffix)
            && bytes.dropFirst(rest - 1).first == UInt8(ascii: ".")
    }

    /// Whether a name and a value can be sent without being misinterpreted.
    ///
    /// A semicolon would end the cookie. A name ends at the first equals sign, so a value without a
    /// name must not contain one. Bytes are compared, not characters, which may consist of several
    /// code points.
    package static func isPair(_ name: String, _ value: String) -> Bool {
        let equals = UInt8(ascii: "=")
        let hasNameOrPlainValue = !name.isEmpty || !(value.isEmpty || value.utf8.contains(equals))
        return hasNameOrPlainValue && !name.utf8.contains(equals)
            && ![name, value].contains {
                $0.utf8.contains(UInt8(ascii: ";")) || $0.hasControlCharacter
            }
    }

    /// Whether the prefix `__Host-` requires that the cookie belongs to one whole host (4.1.3).
    package static func hasHostPrefix(_ name: String, _ value: String) -> Bool {
        hasPrefix("__host-", name, value)
    }

    /// Whether a cookie has the attributes that its name's prefix requires (4.1.3).
    ///
    /// The prefix is also checked in a value without a name, which is sent like a name.
    package static func satisfiesPrefix(
        _ name: String,
        _ value: String,
        isSecure: Bool,
        isHostOnly: Bool,
        path: String
    ) -> Bool {
        if hasPrefix("__secure-", name, value) { return isSecure && !name.isEmpty }
        if hasHostPrefix(name, value) {
            return isSecure && !name.isEmpty && path == "/" && isHostOnly
        }
        return true
    }

    private static func hasPrefix(_ prefix: String, _ name: String, _ value: String) -> Bool {
        (name.isEmpty ? value : name).utf8.lazy.map(\.lowercasedASCII).starts(with: prefix.utf8)
    }

    /// The seconds of a `Max-Age` (5.6.2); `nil` if it isn't a number. Zero means that the cookie
    /// has expired.
    package static func maximumAge(_ text: String) -> Double? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0.isASCIIDigit }) else { return nil }
        guard !text.hasPrefix("-"), digits.contains(where: { $0 != "0" }) else { return 0 }
        return Double(digits) ?? .infinity
    }
}

extension String {
    /// Whether the text has a control character other than a tab.
    package var hasControlCharacter: Bool {
        utf8.contains { ($0 < 0x20 && $0 != ASCII.tab) || $0 == 0x7f }
    }
}
