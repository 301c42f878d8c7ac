internal import Foundation
internal import HTTPSemantics

/// Updates from a later response of the origin (RFC 9111, 4.3.3 to 4.3.5).
extension StoredResponse {
    /// Whether a `304` confirms this response.
    ///
    /// The `304` must have the same entity tag, or if it has none the same date of last
    /// modification. A `304` with neither confirms any response.
    func isConfirmed(by notModified: HTTPURLResponse) -> Bool {
        if let tag = notModified.fields.values("ETag").first {
            return entityTag.map { Self.opaqueTag($0) } == Self.opaqueTag(tag)
        }
        if let modified = notModified.fields.values("Last-Modified").first {
            return parsed(modified) == lastModified
        }
        return true
    }

    /// Whether a `HEAD` response shows that a `GET` would still return this response.
    func isConfirmed(byHead head: HTTPURLResponse) -> Bool {
        guard head.statusCode == response.statusCode else { return false }
        let names = ["ETag", "Last-Modified", "Content-Length"]
        return names.allSatisfy { name in
            head.fields[name].map { $0 == fields[name] } ?? true
        }
    }

    /// The response with the fields and times of a later one (3.2).
    ///
    /// Fields that describe the stored body or a connection stay unchanged. `Age` is removed unless
    /// the later response has one. Returns `nil` if the result answers no request.
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

    /// An entity tag without its weakness prefix: byte equality matters only for ranges.
    private static func opaqueTag(_ tag: String) -> String {
        tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    }
}
