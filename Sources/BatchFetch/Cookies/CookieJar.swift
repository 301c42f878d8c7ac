internal import HTTPSemantics

/// The cookies of a run. A value without a clock, which does no input or output.
///
/// They are grouped by site: a site's cookies never reach another one.
struct CookieJar: Sendable {
    /// The most cookies of one site. The RFC requires at least 50.
    static let maximumPerSite = 180
    /// The most cookies in all.
    ///
    /// With the longest names, values, domains and paths they take some 60 MB.
    static let maximum = 10_000

    private struct Site: Sendable {
        /// Older cookies first.
        var cookies: [RunCookie] = []
        /// When the site was used last, as a number of uses.
        var lastUse = 0

        mutating func set(_ cookie: RunCookie, isSecure: Bool, now: Double) {
            cookies.removeAll { $0.isExpired(at: now) }
            guard isSecure || !cookies.contains(where: { $0.isHidden(by: cookie) }) else { return }
            let isExpired = cookie.isExpired(at: now)
            if let place = cookies.firstIndex(where: { cookie.replaces($0) }) {
                if isExpired { cookies.remove(at: place) } else { cookies[place] = cookie }
            } else if !isExpired {
                cookies.append(cookie)
                if cookies.count > CookieJar.maximumPerSite { cookies.removeFirst() }
            }
        }
    }

    private var sites: [String: Site] = [:]
    private(set) var count = 0
    private var uses = 0

    init() {}

    /// All cookies, grouped by site.
    var all: [RunCookie] {
        sites.sorted { $0.key < $1.key }.flatMap(\.value.cookies)
    }

    /// The value of the `Cookie` field for a request; `nil` for none.
    mutating func field(for origin: CookieOrigin, now: Double) -> String? {
        let name = CookieOrigin.site(of: origin.host)
        guard let site = sites[name] else { return nil }
        uses += 1
        sites[name]?.lastUse = uses
        let found = site.cookies.filter { $0.belongs(to: origin) && !$0.isExpired(at: now) }
        guard !found.isEmpty else { return nil }
        // Longer paths first, then older cookies (RFC 6265bis, 5.8.3).
        let order = found.enumerated().sorted { one, other in
            let lengths = (one.element.path.utf8.count, other.element.path.utf8.count)
            return lengths.0 == lengths.1 ? one.offset < other.offset : lengths.0 > lengths.1
        }
        return order.map(\.element.pair).joined(separator: "; ")
    }

    /// Stores a cookie; an expired one removes the existing one.
    ///
    /// - Parameter isSecure: Whether it came over TLS. A cookie that didn't can't hide a `Secure` one
    ///   of its name (RFC 6265bis, 5.7).
    mutating func set(_ cookie: RunCookie, isSecure: Bool, now: Double) {
        let name = CookieOrigin.site(of: cookie.domain)
        let before = sites[name]?.cookies.count ?? 0
        uses += 1
        sites[name, default: Site()].lastUse = uses
        sites[name, default: Site()].set(cookie, isSecure: isSecure, now: now)
        let after = sites[name]?.cookies.count ?? 0
        if after == 0 { sites[name] = nil }
        count += after - before
        if count > Self.maximum { removeStaleSites() }
    }

    /// Removes a tenth of the cookies: those of the sites that were used least recently.
    private mutating func removeStaleSites() {
        let limit = Self.maximum / 10 * 9
        for (name, site) in sites.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard count > limit else { return }
            sites[name] = nil
            count -= site.cookies.count
        }
    }
}

extension RunCookie {
    /// Whether a server may get another cookie of this name instead of this `Secure` one.
    fileprivate func isHidden(by other: RunCookie) -> Bool {
        guard isSecure, name.utf8.elementsEqual(other.name.utf8) else { return false }
        let domains = [(domain, other.domain), (other.domain, domain)]
        return domains.contains { CookieRules.isHost($0, within: $1, isAddress: false) }
            && CookieRules.isPath(other.path, within: path)
    }
}
