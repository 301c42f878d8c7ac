import Foundation
import Testing

@testable import CurlURLSession

/// A simple model of a cookie jar: a list that is searched from start to end.
///
/// It follows RFC 6265bis, 5.7 and 5.8, except that a secure cookie protects only against cookies
/// of its own site. `CookieAttributes` parses the fields and `CookieHost` determines the sites;
/// both have separate tests.
struct CookieModel {
    private struct Entry {
        var attributes: CookieAttributes
        var host: String
        var isHostOnly: Bool
        let created: Double
    }

    private var entries: [Entry] = []

    mutating func set(_ field: String, from text: String, at time: Double) throws {
        let url = try #require(URL(string: text))
        let now = Date(at: time)
        entries.removeAll { ($0.attributes.expires ?? .distantFuture) <= now }
        guard let new = CookieAttributes(setCookie: field, url: url, now: now) else { return }
        let isHostOnly = !new.domain.hasPrefix(".")
        let host = isHostOnly ? new.domain : String(new.domain.dropFirst())
        if !text.hasPrefix("https:") {
            if new.isSecure { return }
            for old in entries where old.attributes.isSecure && old.attributes.name == new.name {
                let isRelated = matches(old.host, host) || matches(host, old.host)
                let isSameSite = CookieHost(old.host)?.site == CookieHost(host)?.site
                if isRelated, isSameSite, isBelow(new.path, old.attributes.path) { return }
            }
        }
        let index = entries.firstIndex {
            $0.attributes.name == new.name && $0.host == host && $0.isHostOnly == isHostOnly
                && $0.attributes.path == new.path
        }
        let isExpired = (new.expires ?? .distantFuture) <= now
        switch (index, isExpired) {
        case (let index?, true): entries.remove(at: index)
        case (let index?, false): entries[index].attributes = new
        case (nil, true): break
        case (nil, false):
            entries.append(
                Entry(attributes: new, host: host, isHostOnly: isHostOnly, created: time)
            )
        }
    }

    func sent(to text: String, at time: Double) throws -> String {
        let url = try #require(URL(string: text))
        let host = try #require(url.host())
        let found = entries.filter { entry in
            (entry.isHostOnly ? entry.host == host : matches(host, entry.host))
                && isBelow(url.path(), entry.attributes.path)
                && (text.hasPrefix("https:") || !entry.attributes.isSecure)
                && (entry.attributes.expires ?? .distantFuture) > Date(at: time)
        }
        let ordered = found.sorted { one, other in
            one.attributes.path.count == other.attributes.path.count
                ? one.created < other.created
                : one.attributes.path.count > other.attributes.path.count
        }
        return ordered.map(\.attributes.pair).joined(separator: "; ")
    }

    private func matches(_ host: String, _ domain: String) -> Bool {
        host == domain || (host.hasSuffix("." + domain) && host.last?.isNumber != true)
    }

    private func isBelow(_ path: String, _ folder: String) -> Bool {
        path == folder || (path.hasPrefix(folder) && folder.hasSuffix("/"))
            || path.hasPrefix(folder + "/")
    }
}
