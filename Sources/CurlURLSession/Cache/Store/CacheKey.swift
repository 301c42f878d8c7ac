internal import Foundation

/// What a response is stored under: a method, and a URL in one form for all that mean the same.
struct CacheKey: Sendable, Hashable {
    let method: String
    /// Without fragment and credentials.
    let url: String

    /// `nil` for a request without a URL. A `HEAD` is answered by what a `GET` would be.
    init?(_ request: URLRequest) {
        guard let url = request.url else { return nil }
        let method = request.httpMethod ?? "GET"
        self.init(method: method == "HEAD" ? "GET" : method, url: url)
    }

    init(method: String = "GET", url: URL) {
        self.method = method
        self.url = Self.normalized(url.absoluteString)
    }

    /// Scheme, host and port.
    var origin: Substring {
        guard let start = url.firstRange(of: "://") else { return url[...] }
        let end = url[start.upperBound...].firstIndex(of: "/") ?? url.endIndex
        return url[..<end]
    }

    /// Scheme and host in small letters, without the scheme's own port, and with a path
    /// (RFC 9110, 4.2.3).
    private static func normalized(_ text: String) -> String {
        let text = text.prefix { $0 != "#" }
        guard let mark = text.firstRange(of: "://") else { return String(text) }
        let scheme = text[..<mark.lowerBound].lowercased()
        let rest = text[mark.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end]
        let start = authority.lastIndex(of: "@").map { authority.index(after: $0) }
        var host = authority[(start ?? authority.startIndex)...].lowercased()
        let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ":"
        if let suffix = [port, ":"].first(where: { host.hasSuffix($0) }) {
            host.removeLast(suffix.count)
        }
        let path = rest[end...]
        return "\(scheme)://\(host)\(path.hasPrefix("/") ? "" : "/")\(path)"
    }
}
