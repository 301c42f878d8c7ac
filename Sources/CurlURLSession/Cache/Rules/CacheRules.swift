internal import Foundation
internal import HTTPSemantics

/// What a private cache may store and must invalidate (RFC 9111, 3 and 4.4).
enum CacheRules {
    /// Whether the response to a request may be stored, to answer later requests.
    ///
    /// Only responses to `GET` requests without a body are stored. Partial responses aren't. If the
    /// request has its own conditions, only a 200 is stored. `no-store` in the request or the
    /// response prevents storing; `private` doesn't.
    static func mayStore(_ response: HTTPURLResponse, for request: CacheableRequest) -> Bool {
        guard request.method == "GET", !request.hasBody, !request.directives.contains("no-store")
        else { return false }
        if request.isConditional, response.statusCode != 200 { return false }
        return mayStore(response)
    }

    /// Whether a response to a `GET` may be stored, by its own status and fields.
    static func mayStore(_ response: HTTPURLResponse) -> Bool {
        let status = response.statusCode
        guard (200...599).contains(status), status != 206, status != 304 else { return false }
        let directives = CacheDirectives(response.fields.values("Cache-Control"))
        if directives.contains("must-understand") {
            guard isUnderstood(status) else { return false }
        } else if directives.contains("no-store") {
            return false
        }
        return isHeuristicallyCacheable(status)
            || ["max-age", "public", "private"].contains { directives.contains($0) }
            || !response.fields.values("Expires").isEmpty
    }

    /// Whether a status allows a heuristic lifetime (RFC 9110, 15.1).
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Whether this cache implements the caching rules for a status.
    private static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...204, 300...303, 307, 308, 400, 404, 405, 410, 414, 500...504: true
        default: false
        }
    }

    /// The fields of a response that are stored.
    ///
    /// Fields that concern the connection are left out (3.1). A response without `Date` gets its
    /// time of arrival (RFC 9110, 6.6.1).
    static func storable(_ fields: ResponseHeaderFields, receivedAt time: Date) -> [HeaderLine] {
        let named = fields.values("Connection").flatMap { $0.lowercased().split(separator: ",") }
        let dropped = connectionFields.union(named.map { String($0).trimmingFieldWhitespace })
        var lines = fields.lines.filter { !dropped.contains($0.name.lowercased()) }
        if fields["Date"] == nil {
            lines.append(HeaderLine(name: "Date", value: HTTPDate.text(from: time)))
        }
        return lines
    }

    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
        "proxy-authorization", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]

    /// The URLs whose stored responses a response invalidates (4.4).
    ///
    /// A successful response to an unsafe method invalidates the request's URL, and the URLs of the
    /// same origin in `Location` and `Content-Location`.
    static func invalidated(
        by response: HTTPURLResponse,
        to request: CacheableRequest
    ) -> [URL] {
        guard !request.isSafe, (200...399).contains(response.statusCode), let url = request.url
        else { return [] }
        let others = ["Location", "Content-Location"].compactMap { name in
            response.fields.values(name).first.flatMap { URL(string: $0, relativeTo: url) }
        }
        let origin = CacheKey(url: url).origin
        return [url] + others.map(\.absoluteURL).filter { CacheKey(url: $0).origin == origin }
    }
}
