/// How a download's file has grown, in bytes.
struct DownloadProgress: Sendable {
    /// Where it goes on; `nil` where that was told, or where it is new.
    let resumedAt: Int64?
    /// Since it was told last.
    let written: Int64
    let total: Int64
    /// -1 where it isn't known.
    let expected: Int64
}
