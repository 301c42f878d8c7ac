import TestSupport

extension RecordedRequest {
    /// The bytes that are asked for, if only some are: `last` is nil where all from `first` on are.
    var range: (first: Int, last: Int?)? {
        guard let value = header("Range"), value.hasPrefix("bytes=") else { return nil }
        let bounds = value.dropFirst("bytes=".count).split(
            separator: "-",
            omittingEmptySubsequences: false
        )
        guard bounds.count == 2, let first = Int(bounds[0]) else { return nil }
        return (first, Int(bounds[1]))
    }

    /// Whether nothing in it is about a part.
    var asksForAll: Bool { header("Range") == nil && header("If-Range") == nil }
}
