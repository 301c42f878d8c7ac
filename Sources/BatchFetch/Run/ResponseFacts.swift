import CurlTransport

/// What a response's head says that becomes part of its result, read in one walk over its fields.
struct ResponseFacts {
    private static let own = ["etag", "last-modified", "content-type", "retry-after"]
    private static let names = FieldNameSet(own + ResponseDigests.fieldNames)

    let etag: String?
    let lastModified: String?
    let contentType: String?
    let retryAfter: String?
    /// Whether it names a checksum of its body.
    let hasDigest: Bool

    init(_ head: ResponseHead) {
        let values = head.firstValues(of: Self.names)
        etag = values[0]
        lastModified = values[1]
        contentType = values[2]
        retryAfter = values[3]
        hasDigest = values[Self.own.count...].contains { $0 != nil }
    }
}
