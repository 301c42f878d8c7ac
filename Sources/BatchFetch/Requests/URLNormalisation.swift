internal import HTTPSemantics

/// Normalises equivalent URLs to the same text (RFC 3986, 6.2.2 and 6.2.3).
enum URLNormalisation {
    /// Returns the normalised URL.
    ///
    /// Scheme and host are in lower case. The default port, dot segments and the fragment are
    /// removed. An empty path becomes `/`. Escapes are in upper case and only used where necessary.
    static func bytes(of target: FetchTarget) -> [UInt8] {
        var bytes = Array((target.isSecure ? "https://" : "http://").utf8)
        bytes += userInfo(of: target.url)
        let isAddress = target.host.utf8.contains(UInt8(ascii: ":"))
        bytes += Array((isAddress ? "[\(target.host)]" : target.host).utf8)
        if target.port != (target.isSecure ? 443 : 80) { bytes += Array(":\(target.port)".utf8) }
        let rest = target.rest.utf8.prefix { $0 != UInt8(ascii: "#") }
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        bytes += withoutDots(PercentCoding.normalized(path))
        if path.endIndex < rest.endIndex {
            bytes += PercentCoding.normalized(rest[path.endIndex...])
        }
        return bytes
    }

    /// Whether a quick check finds a valid and normalised URL.
    ///
    /// False may also mean that only a full check can tell.
    static func isNormal(_ text: Span<UInt8>) -> Bool {
        var index = 0
        for byte in "http".utf8 {
            guard index < text.count, text[index] == byte else { return false }
            index += 1
        }
        if index < text.count, text[index] == UInt8(ascii: "s") { index += 1 }
        for byte in "://".utf8 {
            guard index < text.count, text[index] == byte else { return false }
            index += 1
        }
        let host = index
        var label = host
        while index < text.count, isPlainHost(text[index]) {
            if text[index] == UInt8(ascii: ".") { label = index + 1 }
            index += 1
        }
        // A host whose last label is empty or begins with a digit may be an address or have another
        // spelling.
        guard index > label, !text[label].isASCIIDigit, index < text.count,
            text[index] == UInt8(ascii: "/")
        else { return false }
        // The rest must contain no escapes and no dot segments.
        for index in index..<text.count {
            switch text[index] {
            case UInt8(ascii: "%"), UInt8(ascii: "#"), ...0x20, 0x7F...: return false
            case UInt8(ascii: ".") where text[index - 1] == UInt8(ascii: "/"): return false
            default: break
            }
        }
        return true
    }

    private static func isPlainHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default:
            false
        }
    }

    private static func userInfo(of url: String) -> [UInt8] {
        guard let separator = FetchTarget.schemeSeparator(in: url) else { return [] }
        let authority = url[separator.upperBound...].utf8.prefix { !"/?#".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return [] }
        return Array(authority[...at])
    }

    /// Removes dot segments (RFC 3986, 5.2.4).
    private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
        guard !path.isEmpty else { return [UInt8(ascii: "/")] }
        let slash = UInt8(ascii: "/")
        var kept: [ArraySlice<UInt8>] = []
        let parts = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            if part.elementsEqual("..".utf8) {
                _ = kept.popLast()
                if isLast { kept.append([]) }
            } else if part.elementsEqual(".".utf8) {
                if isLast { kept.append([]) }
            } else {
                kept.append(part)
            }
        }
        return [slash] + Array(kept.joined(separator: CollectionOfOne(slash)))
    }
}
