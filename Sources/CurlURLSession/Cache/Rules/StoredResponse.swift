internal import Foundation
internal import HTTPSemantics

/// A stored HTTP response, and what its fields allow (RFC 9111).
///
/// A cache here belongs to one program, so it is a private cache: `s-maxage` and `proxy-revalidate`
/// don't apply, and `private` doesn't prevent storing.
struct StoredResponse: Sendable {
    let cached: CachedURLResponse
    let response: HTTPURLResponse
    let record: CacheRecord
    let directives: CacheDirectives

    /// `nil` for a response that isn't HTTP.
    init?(_ cached: CachedURLResponse) {
        guard let response = cached.response as? HTTPURLResponse else { return nil }
        self.cached = cached
        self.response = response
        record = cached.record ?? CacheRecord(unrecorded: response)
        directives = CacheDirectives(response.fields.values("Cache-Control"))
    }

    var fields: ResponseHeaderFields { response.fields }

    /// When the origin created the response; if unknown, when it arrived (RFC 9110, 6.6.1).
    var date: Date {
        fields.values("Date").first.flatMap { parsed($0) } ?? record.responseTime
    }

    /// When the resource last changed, according to the origin.
    var lastModified: Date? {
        let values = fields.values("Last-Modified")
        return values.count == 1 ? parsed(values[0]) : nil
    }

    func parsed(_ date: String) -> Date? {
        HTTPDate.date(from: date, near: record.responseTime)
    }

    /// The fields that ask the origin to confirm the response (RFC 9111, 4.3.1).
    ///
    /// They repeat the origin's validators verbatim, and are empty without a validator.
    var conditions: [HeaderLine] {
        var conditions: [HeaderLine] = []
        if let tag = entityTag { conditions.append(HeaderLine(name: "If-None-Match", value: tag)) }
        if lastModified != nil, let value = fields["Last-Modified"] {
            conditions.append(HeaderLine(name: "If-Modified-Since", value: value))
        }
        return conditions
    }

    var entityTag: String? {
        fields.values("ETag").first.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The response that answers a request.
    ///
    /// It has the body only if `hasBody`. Unless the origin has confirmed it, it gets an `Age` (RFC
    /// 9111, 5.1) and loses the fields that `no-cache` names.
    ///
    /// - Parameter url: The URL of the request; `nil` for the URL of the stored response.
    func answer(
        to url: URL? = nil,
        at now: Date,
        isConfirmed: Bool,
        hasBody: Bool
    ) -> CachedURLResponse {
        var lines = fields.lines
        if !isConfirmed {
            let withheld = directives.fieldNames("no-cache").union(["age"])
            lines.removeAll { withheld.contains($0.name.lowercased()) }
            let seconds = Int(exactly: min(age(at: now).rounded(.down), 2_147_483_648)) ?? 0
            lines.append(HeaderLine(name: "Age", value: String(seconds)))
        }
        return replacing(lines, url: url, data: hasBody ? nil : Data(), record: record).cached
    }

    /// A copy with other fields.
    func replacing(
        _ lines: [HeaderLine],
        url: URL? = nil,
        data: Data? = nil,
        record: CacheRecord
    ) -> StoredResponse {
        guard let url = url ?? response.url else { return self }
        let changed = HTTPURLResponse(
            url: url,
            statusCode: response.statusCode,
            httpVersion: response.httpVersion,
            fields: ResponseHeaderFields(lines)
        )
        let cached = cached.replacing(response: changed, data: data, record: record)
        return StoredResponse(cached) ?? self
    }
}
