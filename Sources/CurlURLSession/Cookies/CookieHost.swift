internal import Foundation

/// A host, or a cookie's domain, as cookies compare them: in small letters, an international name in
/// its ASCII form (RFC 6265bis, 5.1.2).
struct CookieHost: Sendable, Hashable {
    /// Without a dot in front.
    let name: String
    /// Whether it is an address, which is part of no domain.
    let isAddress: Bool

    /// The host of a URL; `nil` if it has none.
    init?(_ url: URL) {
        guard let host = Self.host(of: url) else { return nil }
        self.init(host)
    }

    /// `nil` for what can't be a host.
    init?(_ text: String) {
        guard let name = Self.canonical(text), !name.isEmpty else { return nil }
        self.name = name
        isAddress = Self.isAddress(name)
    }

    /// Whether it is `domain`, or one of the names below it (RFC 6265bis, 5.1.3).
    func isWithin(_ domain: CookieHost) -> Bool {
        let bytes = name.utf8
        let suffix = domain.name.utf8
        let rest = bytes.count - suffix.count
        guard rest > 0 else { return bytes.elementsEqual(suffix) }
        return !isAddress && bytes.dropFirst(rest).elementsEqual(suffix)
            && bytes.dropFirst(rest - 1).first == UInt8(ascii: ".")
    }

    /// Whether anybody may register names below it.
    var isPublicSuffix: Bool {
        !isAddress && PublicSuffixList.shared.isPublicSuffix(String(Self.withoutRoot(name)))
    }

    /// The part of the name that belongs to one owner: its registrable domain, else all of it.
    var site: Substring {
        let plain = Self.withoutRoot(name)
        guard !isAddress,
            let domain = PublicSuffixList.shared.registrableDomain(of: String(plain))
        else { return name[...] }
        return name.suffix(domain.utf8.count + name.utf8.count - plain.utf8.count)
    }

    /// Without the dot that may stand for the root of all names.
    private static func withoutRoot(_ name: String) -> Substring {
        name.utf8.last == UInt8(ascii: ".") ? name.dropLast() : name[...]
    }

    /// Without percent-encoding, which stands for the same host. Foundation gives international names in
    /// their ASCII form then, where they weren't percent-encoded, and only then.
    private static func host(of url: URL) -> String? { url.host(percentEncoded: false) }

    private static func canonical(_ text: String) -> String? {
        if text.utf8.allSatisfy({ $0 < 0x80 && $0.lowercasedASCII == $0 }) { return text }
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        // Nothing that means something in a URL, neither before nor after it is spelled in ASCII.
        guard text.utf8.allSatisfy({ $0 >= 0x80 || isPartOfName($0) }),
            let host = URL(string: "http://\(text)/").flatMap({ host(of: $0) }),
            host.utf8.allSatisfy({ isPartOfName($0) })
        else { return nil }
        return host.lowercased()
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-._".utf8.contains(byte)
    }

    /// Whether it has a colon, or its last label is a number: then it is read as an address whatever
    /// the others are (WHATWG URL, 3.5).
    private static func isAddress(_ name: String) -> Bool {
        if name.utf8.contains(UInt8(ascii: ":")) { return true }
        let bytes = withoutRoot(name).utf8
        let dot = bytes.lastIndex(of: UInt8(ascii: "."))
        let last = bytes[(dot.map { bytes.index(after: $0) } ?? bytes.startIndex)...]
        if last.allSatisfy({ $0.isASCIIDigit }) { return !last.isEmpty }
        return last.starts(with: "0x".utf8)
            && last.dropFirst(2).allSatisfy {
                $0.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
