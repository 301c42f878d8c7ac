internal import Foundation

/// A request, as the caching rules see it.
struct CacheableRequest: Sendable {
    let request: URLRequest
    let directives: CacheDirectives

    /// Creates it from a request with all fields that are sent.
    ///
    /// Cookies and the session's own fields are included: `Vary` is evaluated against them.
    init(_ request: URLRequest) {
        self.request = request
        let value = request.value(forHTTPHeaderField: "Cache-Control")
        var directives = CacheDirectives(value.map { [$0] } ?? [])
        // `Pragma` is the HTTP/1.0 equivalent (RFC 9111, 5.4).
        if value == nil, let pragma = request.value(forHTTPHeaderField: "Pragma"),
            CacheDirectives([pragma]).contains("no-cache")
        {
            directives.add("no-cache")
        }
        self.directives = directives
    }

    var url: URL? { request.url }
    var method: String { request.httpMethod ?? "GET" }

    var hasBody: Bool {
        request.httpBody.map { !$0.isEmpty } ?? (request.httpBodyStream != nil)
    }

    /// Whether the program asks for a range or sets its own conditions. It then gets the origin's
    /// own response.
    var isConditional: Bool {
        let names = [
            "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range",
            "Range",
        ]
        return names.contains { request.value(forHTTPHeaderField: $0) != nil }
    }

    /// Whether a stored response may answer the request at all.
    var mayBeAnswered: Bool {
        ["GET", "HEAD"].contains(method) && !hasBody && !isConditional
            && !directives.contains("no-store")
    }

    /// Whether the method is safe: it changes nothing at the origin. Unknown methods aren't safe.
    var isSafe: Bool { Self.isSafe(method) }

    /// Whether a method is safe: it changes nothing at the origin. Unknown methods aren't safe.
    static func isSafe(_ method: String) -> Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH": true
        default: false
        }
    }

    /// Whether the request's directives accept the stored response without revalidation (5.2.1).
    func accepts(_ stored: StoredResponse, at now: Date) -> Bool {
        let age = stored.age(at: now)
        let staleness = stored.staleness(at: now)
        guard !directives.contains("no-cache"), !stored.needsConfirmation else { return false }
        if let most = directives.seconds("max-age"), age >= Double(most) { return false }
        if let least = directives.mostSeconds("min-fresh") { return -staleness >= Double(least) }
        if staleness < 0 { return true }
        guard stored.mayBeServedStale, directives.contains("max-stale") else { return false }
        return directives.appliesToAll("max-stale")
            || staleness <= Double(directives.seconds("max-stale") ?? 0)
    }

    /// Whether the request leaves the permitted age to the response.
    var setsNoLimits: Bool {
        !["no-cache", "max-age", "min-fresh"].contains { directives.contains($0) }
    }
}
