internal import HTTPSemantics
import PublicSuffix

/// A cookie of a run (RFC 6265bis).
struct RunCookie: Sendable, Hashable {
    let name: String
    let value: String
    /// In canonical form, without a leading dot.
    let domain: String
    /// Whether the cookie isn't sent to subdomains.
    let isHostOnly: Bool
    let path: String
    let isSecure: Bool
    let isHTTPOnly: Bool
    /// In seconds since 1970; `nil` for a cookie that ends with the run.
    let expires: Double?

    /// Creates a cookie without checks.
    init(
        name: String,
        value: String,
        domain: String,
        isHostOnly: Bool,
        path: String,
        isSecure: Bool = false,
        isHTTPOnly: Bool = false,
        expires: Double? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.expires = expires
    }

    /// Parses a `Set-Cookie` field of a response from `origin` (RFC 6265bis, 5.7).
    ///
    /// Returns `nil` if the field sets no cookie, or one that this server may not set.
    init?(setCookie text: String, from origin: CookieOrigin, now: Double) {
        guard let field = SetCookieField(text) else { return nil }
        let attributes = field.attributes
        let hasPath = attributes["path"]?.hasPrefix("/") ?? false
        // A default path of `/` doesn't satisfy the prefix.
        if CookieRules.hasHostPrefix(field.name, field.value), !hasPath { return nil }
        var domain = origin.host
        var isHostOnly = true
        if let given = Self.domain(attributes["domain"] ?? "") {
            guard origin.isWithin(given) else { return nil }
            // A host that is itself a public suffix sets cookies only for itself.
            isHostOnly = origin.isAddress || Self.isPublicSuffix(given)
            if isHostOnly, given != origin.host { return nil }
            domain = given
        }
        self.init(
            name: field.name,
            value: field.value,
            domain: domain,
            isHostOnly: isHostOnly,
            path: hasPath
                ? attributes["path"] ?? "/" : CookieRules.defaultPath(ofURLPath: origin.path),
            isSecure: attributes["secure"] != nil,
            isHTTPOnly: attributes["httponly"] != nil,
            expires: Self.expiry(attributes, now: now)
        )
        guard isValid, origin.isSecure || !isSecure else { return nil }
    }

    /// The domain of an attribute in canonical form; `nil` if it is empty.
    private static func domain(_ attribute: String) -> String? {
        let given = attribute.utf8.first == ASCII.dot ? attribute.dropFirst() : attribute[...]
        return given.isEmpty ? nil : HostName.canonical(given.utf8)
    }

    private static func expiry(_ attributes: [String: String], now: Double) -> Double? {
        if let age = attributes["max-age"].flatMap({ CookieRules.maximumAge($0) }) {
            return age > 0 ? now + age : -.infinity
        }
        return attributes["expires"].flatMap { SetCookieDate.secondsSince1970($0) }
            .map { Double($0) }
    }

    static func isPublicSuffix(_ domain: String) -> Bool {
        !PublicSuffixList.isAddress(domain) && PublicSuffixList.shared.isPublicSuffix(domain)
    }

    /// Whether the cookie can be sent, and written to a file, without being misinterpreted.
    var isValid: Bool {
        CookieRules.isPair(name, value)
            && !domain.isEmpty && path.hasPrefix("/")
            && ![domain, path].contains { $0.hasControlCharacter }
            // A tab separates the fields of a cookie in a file.
            && ![name, value, domain, path].contains { $0.utf8.contains(ASCII.tab) }
            && CookieRules.satisfiesPrefix(
                name,
                value,
                isSecure: isSecure,
                isHostOnly: isHostOnly,
                path: path
            )
    }

    /// The cookie's part of the `Cookie` field.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    /// Whether it has the name, domain and path of another cookie, and replaces it.
    func replaces(_ other: RunCookie) -> Bool {
        isHostOnly == other.isHostOnly && domain == other.domain
            && name.utf8.elementsEqual(other.name.utf8)
            && path.utf8.elementsEqual(other.path.utf8)
    }

    func isExpired(at now: Double) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether it is sent with a request to `origin` (RFC 6265bis, 5.8.3), unless it has expired.
    ///
    /// `SameSite` is ignored: no pages of other sites cause the requests of a run.
    func belongs(to origin: CookieOrigin) -> Bool {
        (isHostOnly ? origin.host == domain : origin.isWithin(domain))
            && (origin.isSecure || !isSecure) && CookieRules.isPath(origin.path, within: path)
    }
}

/// The parts of a URL that decide which cookies belong to it.
struct CookieOrigin: Sendable, Hashable {
    /// In canonical form.
    let host: String
    let isSecure: Bool
    /// Percent-encoded, without the query, and never empty.
    let path: String
    let isAddress: Bool

    /// - Parameter path: The path of the request, with its query.
    init(host: String, isSecure: Bool, path: String?) {
        self.host = host
        self.isSecure = isSecure
        let plain = (path ?? "/").prefix { $0 != "?" }
        self.path = plain.isEmpty ? "/" : String(plain)
        isAddress = PublicSuffixList.isAddress(host)
    }

    /// Whether the host is `domain` or a subdomain of it.
    func isWithin(_ domain: String) -> Bool {
        CookieRules.isHost(host, within: domain, isAddress: isAddress)
    }

    /// The name under which a jar keeps the cookies of a host: its registrable domain.
    static func site(of host: String) -> String {
        PublicSuffixList.shared.registrableDomain(of: host) ?? host
    }
}
