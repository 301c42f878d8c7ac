internal import Foundation

/// What a later response from the origin says of a stored one (RFC 9111, 4.3.3 to 4.3.5).
extension StoredResponse {
    /// Whether a `304` is about this response: its entity tag, or where it has none its date of
    /// change, is this one's. One without either can't be about another.
    func isConfirmed(by notModified: HTTPURLResponse) -> Bool {
        if let tag = notModified.fields.values("ETag").first {
            return entityTag.map { Self.opaqueTag($0) } == Self.opaqueTag(tag)
        }
        if let modified = notModified.fields.values("Last-Modified").first {
            return parsed(modified) == lastModified
        }
        return true
    }

    /// Whether the response to a `HEAD` shows that this one would still come for a `GET`.
    func isConfirmed(byHead head: HTTPURLResponse) -> Bool {
        guard head.statusCode == response.statusCode else { return false }
        let names = ["ETag", "Last-Modified", "Content-Length"]
        return names.allSatisfy { name in
            head.fields[name].map { $0 == fields[name] } ?? true
        }
    }

    /// This response with the fields of a later one (3.2), and as new as that.
    ///
    /// What describes the body as it came stays as it was, and so does what concerns a connection. An
    /// age that isn't stated again is over. `nil` if it answers no request any more.
    func updated(
        by later: HTTPURLResponse,
        for request: URLRequest,
        requestTime: Date,
        responseTime: Date
    ) -> StoredResponse? {
        let kept: Set<String> = ["content-length", "content-encoding", "content-range"]
        let news = CacheRules.storable(later.fields, receivedAt: responseTime).filter {
            !kept.contains($0.name.lowercased())
        }
        let replaced = Set(news.map { $0.name.lowercased() }).union(["age"])
        let lines = fields.lines.filter { !replaced.contains($0.name.lowercased()) } + news
        let variance = RequestVariance(of: request, answeredBy: ResponseHeaderFields(lines))
        return variance.map {
            let record = CacheRecord(
                requestTime: requestTime,
                responseTime: responseTime,
                variance: $0
            )
            return replacing(lines, record: record)
        }
    }

    /// An entity tag without the mark of a weak one: whether the body is the same to the byte matters
    /// to ranges alone.
    private static func opaqueTag(_ tag: String) -> String {
        tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }
}
