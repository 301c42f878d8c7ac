internal import CurlTransport
public import HTTPTypes

/// Which URLs a route answers: a path, or a whole URL, with wildcards.
///
/// | pattern | URLs |
/// |---|---|
/// | `/users` | this path on each host, with any query |
/// | `/users/*` | `/users/7`, and not `/users/7/name` or `/users` |
/// | `/users/**` | `/users`, `/users/7` and everything below |
/// | `/users?page=2` | this path with exactly this query |
/// | `https://api.example/users` | this path on this host over `https` |
/// | `//*.example/**` | everything on all subdomains of `example`, over any scheme |
/// | `**` | everything |
///
/// A `*` stands for one segment of a path, or for one or more labels at the beginning of a host.
/// Letter case matters in paths, and not in hosts. A port is part of the host.
public struct StubPattern: Sendable, Hashable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The pattern as it was written.
    public let description: String

    private let scheme: Substring?
    private let host: String?
    private let segments: [Substring]
    private let query: Substring?

    /// Parses a pattern. Every text is one.
    public init(_ text: String) {
        description = text
        var rest = Substring(text)
        if let end = rest.firstRange(of: "//"), rest[..<end.lowerBound].allSatisfy({ $0 != "/" }),
            end.lowerBound == rest.startIndex || rest[..<end.lowerBound].hasSuffix(":")
        {
            scheme =
                end.lowerBound == rest.startIndex ? nil : rest[..<end.lowerBound].dropLast()
            rest = rest[end.upperBound...]
            host = rest.prefix { $0 != "/" && $0 != "?" }.lowercased()
            rest = rest.drop { $0 != "/" && $0 != "?" }
        } else {
            (scheme, host) = (nil, nil)
        }
        query = rest.firstIndex(of: "?").map { rest[rest.index(after: $0)...] }
        segments = Self.segments(of: rest.prefix { $0 != "?" })
    }

    /// Parses a pattern.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// Whether a request's URL fits the pattern.
    public func matches(_ request: HTTPRequest) -> Bool {
        let path = request.path ?? "/"
        if let scheme, request.scheme?.lowercased() != scheme.lowercased() { return false }
        if let host, !Self.host(host, matches: request.authority?.lowercased() ?? "") {
            return false
        }
        if let query {
            let found = path.firstIndex(of: "?").map { path[path.index(after: $0)...] }
            guard found == query else { return false }
        }
        return matches(Self.segments(of: path.prefix { $0 != "?" }))
    }

    private func matches(_ path: [Substring]) -> Bool {
        for (index, segment) in segments.enumerated() {
            if segment == "**", index == segments.count - 1 { return true }
            guard index < path.count else { return false }
            // A trailing slash has an empty last segment, which isn't a name.
            let fits = segment == "*" ? !path[index].isEmpty : segment == path[index]
            guard fits else { return false }
        }
        return segments.count == path.count
    }

    private static func segments(of path: Substring) -> [Substring] {
        let path = path.first == "/" ? path.dropFirst() : path
        return path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func host(_ pattern: String, matches host: String) -> Bool {
        if pattern == "*" { return true }
        guard pattern.hasPrefix("*.") else { return pattern == host }
        let suffix = pattern.dropFirst()
        return host.count > suffix.count && host.hasSuffix(suffix)
    }
}
