internal import Foundation

/// A stored response to an HTTP request, with what its fields say of its use (RFC 9111).
///
/// A cache here belongs to one program, so it is a private one: `s-maxage` and `proxy-revalidate`
/// don't concern it, and `private` doesn't keep it from storing.
struct StoredResponse: Sendable {
    let cached: CachedURLResponse
    let response: HTTPURLResponse
    let record: CacheRecord
    let directives: CacheDirectives

    /// `nil` for what isn't an HTTP response.
    init?(_ cached: CachedURLResponse) {
        guard let response = cached.response as? HTTPURLResponse else { return nil }
        self.cached = cached
        self.response = response
        record = cached.record ?? CacheRecord(unrecorded: response)
        directives = CacheDirectives(response.fields.values("Cache-Control"))
    }

    var fields: ResponseHeaderFields { response.fields }

    /// When the origin made the response; when it came, if that isn't known (RFC 9110, 6.6.1).
    var date: Date {
        fields.values("Date").first.flatMap { parsed($0) } ?? record.responseTime
    }

    /// When the origin says that it last changed.
    var lastModified: Date? {
        let values = fields.values("Last-Modified")
        return values.count == 1 ? parsed(values[0]) : nil
    }

    func parsed(_ date: String) -> Date? {
        HTTPDate.date(from: date, near: record.responseTime)
    }

    /// The fields that ask the origin whether the response still holds (RFC 9111, 4.3.1); empty where
    /// nothing identifies it. They repeat what the origin said, letter for letter.
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

    /// What answers a request: the body only if it is asked for, and without the origin's
    /// confirmation with the age (RFC 9111, 5.1), and without the fields that `no-cache` names.
    ///
    /// - Parameter url: What was asked for; `nil` where that is what was asked for before.
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

    /// The same with other fields.
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
