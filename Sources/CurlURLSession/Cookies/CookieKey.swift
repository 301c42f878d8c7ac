/// The identity of a cookie: a storage has one cookie per key (RFC 6265bis, 5.7).
struct CookieKey: Sendable, Hashable {
    let name: String
    let host: CookieHost
    let isHostOnly: Bool
    let path: String

    /// `nil` if the cookie's domain is invalid.
    init?(_ attributes: CookieAttributes) {
        let domain = attributes.domain
        isHostOnly = domain.utf8.first != UInt8(ascii: ".")
        guard let host = CookieHost(isHostOnly ? domain : String(domain.dropFirst())) else {
            return nil
        }
        self.host = host
        name = attributes.name
        path = attributes.path
    }

    /// Compares bytes: different bytes may be equal as text.
    static func == (one: CookieKey, other: CookieKey) -> Bool {
        one.isHostOnly == other.isHostOnly && one.host == other.host
            && one.name.utf8.elementsEqual(other.name.utf8)
            && one.path.utf8.elementsEqual(other.path.utf8)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(host.name)
        hasher.combine(path)
    }
}
