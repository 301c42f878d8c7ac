internal import Foundation
internal import HTTPSemantics
internal import PublicSuffix

/// A host or a cookie's domain, in canonical form.
///
/// It is lowercase, with an international name in its ASCII form (RFC 6265bis, 5.1.2).
struct CookieHost: Sendable, Hashable {
    /// Without a leading dot.
    let name: String
    /// Whether it is an IP address, which has no parent domain.
    let isAddress: Bool

    /// The host of a URL; `nil` if it has none.
    init?(_ url: URL) {
        guard let host = Self.host(of: url) else { return nil }
        self.init(host)
    }

    /// `nil` if the text can't be a host.
    init?(_ text: String) {
        guard let name = Self.canonical(text), !name.isEmpty else { return nil }
        self.name = name
        isAddress = PublicSuffixList.isAddress(name)
    }

    /// Whether it is `domain` or a subdomain of it (RFC 6265bis, 5.1.3).
    func isWithin(_ domain: CookieHost) -> Bool {
        CookieRules.isHost(name, within: domain.name, isAddress: isAddress)
    }

    /// Whether it is a public suffix: anyone may register names below it.
    var isPublicSuffix: Bool {
        !isAddress && PublicSuffixList.shared.isPublicSuffix(String(Self.withoutRoot(name)))
    }

    /// The registrable domain of the name, otherwise the whole name.
    var site: Substring {
        let plain = Self.withoutRoot(name)
        guard !isAddress,
            let domain = PublicSuffixList.shared.registrableDomain(of: String(plain))
        else { return name[...] }
        return name.suffix(domain.utf8.count + name.utf8.count - plain.utf8.count)
    }

    /// Without the trailing dot that stands for the root.
    private static func withoutRoot(_ name: String) -> Substring {
        name.utf8.last == UInt8(ascii: ".") ? name.dropLast() : name[...]
    }

    /// Without percent-encoding, which doesn't change the host.
    ///
    /// Only in this form Foundation converts international names to ASCII, unless they were
    /// percent-encoded.
    private static func host(of url: URL) -> String? { url.host(percentEncoded: false) }

    private static func canonical(_ text: String) -> String? {
        if text.utf8.allSatisfy({ $0 < 0x80 && $0.lowercasedASCII == $0 }) { return text }
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        // No character with a meaning in URLs is allowed, neither before nor after conversion to
        // ASCII.
        guard text.utf8.allSatisfy({ $0 >= 0x80 || isPartOfName($0) }),
            let host = URL(string: "http://\(text)/").flatMap({ host(of: $0) }),
            host.utf8.allSatisfy({ isPartOfName($0) })
        else { return nil }
        return host.lowercased()
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-._".utf8.contains(byte)
    }
}
