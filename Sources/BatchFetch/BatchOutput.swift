/// Where the bodies of a batch go. Only bodies of responses with a status of 200 … 299 go anywhere.
public struct BatchOutput: Sendable {
    enum Kind: Sendable {
        case discard
        case directory(String)
        case memory(limit: Int)
        case inspected(@Sendable (FetchTarget) -> any BodyInspector)
    }

    let kind: Kind

    /// Bodies are received, counted and dropped.
    public static let discard = BatchOutput(kind: .discard)

    /// Bodies become files in this folder, which is made if need be. Their names follow from the
    /// URL (`host/path`), are safe, and differ for different URLs; a file of an earlier run is
    /// replaced. A file appears under its name when it is complete. Written on threads of the
    /// batch's own.
    public static func directory(_ path: String) -> BatchOutput {
        BatchOutput(kind: .directory(path))
    }

    /// Bodies come with the results. One with more than `limit` bytes is a failure; the results
    /// that nobody has taken yet are few (twice the concurrency), and so are their bodies.
    public static func memory(limit: Int) -> BatchOutput {
        BatchOutput(kind: .memory(limit: limit))
    }

    /// Bodies are shown to an inspector of their own, which has the last word on each.
    package static func inspected(
        by inspector: @escaping @Sendable (FetchTarget) -> any BodyInspector
    ) -> BatchOutput {
        BatchOutput(kind: .inspected(inspector))
    }
}
