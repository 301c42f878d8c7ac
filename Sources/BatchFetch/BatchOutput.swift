/// Where the bodies of a batch go. Only bodies of responses with a status of 200 … 299 go anywhere,
/// but for those of ``warc(in:limit:)``, which keeps all.
public struct BatchOutput: Sendable {
    enum Kind: Sendable {
        case discard
        case directory(String, FileNaming)
        case tar(folder: String, ArchiveLimit)
        case warc(folder: String, ArchiveLimit)
        case standardOutput
        case memory(limit: Int)
        case inspected(@Sendable (FetchTarget) -> any BodyInspector)
    }

    let kind: Kind

    /// Bodies are received, counted and dropped.
    public static let discard = BatchOutput(kind: .discard)

    /// Bodies become files in this folder, which is made if need be. Unless told otherwise their
    /// names follow from the URL (`host/path`), are safe, and differ for different URLs; a file of
    /// an earlier run is replaced. A file appears under its name when it is complete. Written on
    /// threads of the batch's own.
    public static func directory(
        _ path: String,
        naming: FileNaming = FileNaming()
    ) -> BatchOutput {
        BatchOutput(kind: .directory(path, naming))
    }

    /// Bodies become members of tar files `shard-00000.tar` … in this folder, which is made if need
    /// be: `000000017.jpg` by their number among all URLs, and beside each a `000000017.json` that
    /// says what it is. A file has the ending `.part` while it is written.
    ///
    /// One that a run left when it was killed is closed behind its last whole body, and nothing is added
    /// to it: a run that goes on begins another. With a journal, a body that was written and not known
    /// to be is fetched once more, and may be in both; the one result of its URL says which counts.
    public static func tar(in folder: String, limit: ArchiveLimit) -> BatchOutput {
        BatchOutput(kind: .tar(folder: folder, limit))
    }

    /// Complete responses of whatever status, those that redirect among them, become records of
    /// WARC 1.1 files `batch-00000.warc.gz` … in this folder, which is made if need be, with the
    /// requests that they answer. Of the content of a redirect no more than 64 KiB are kept
    /// (`WARC-Truncated`). Bodies are asked for and kept without compression. Fields of requests that prove who
    /// asks are blotted out, and so are the cookies that answer such a request. A file has the ending
    /// `.part` while it is written; what becomes of it after a kill is as with ``tar(in:limit:)``.
    public static func warc(in folder: String, limit: ArchiveLimit) -> BatchOutput {
        BatchOutput(kind: .warc(folder: folder, limit))
    }

    /// The one body goes to the standard output, once it is complete. Any further one is a failure.
    public static let standardOutput = BatchOutput(kind: .standardOutput)

    /// The folder in which bodies are files of their own.
    var namingFolder: String? {
        if case .directory(let path, _) = kind { path } else { nil }
    }

    /// Whether files that are there already stay.
    var keepsExisting: Bool {
        if case .directory(_, let naming) = kind { naming.existing != .overwrite } else { false }
    }

    /// Whether bodies are kept as they were transferred.
    var keepsTransferred: Bool {
        if case .warc = kind { true } else { false }
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
