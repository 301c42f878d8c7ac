import TestSupport

extension RecordedRequest {
    /// The requested range, if any; `last` is nil if it extends to the end.
    var range: (first: Int, last: Int?)? {
        guard let value = header("Range"), value.hasPrefix("bytes=") else { return nil }
        let bounds = value.dropFirst("bytes=".count).split(
            separator: "-",
            omittingEmptySubsequences: false
        )
        guard bounds.count == 2, let first = Int(bounds[0]) else { return nil }
        return (first, Int(bounds[1]))
    }

    /// Whether the request has neither `Range` nor `If-Range`.
    var requestsWholeBody: Bool { header("Range") == nil && header("If-Range") == nil }
}
