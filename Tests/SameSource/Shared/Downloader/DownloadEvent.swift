import Foundation

/// The events of a download, in order.
enum DownloadEvent: Sendable {
    case resumed(offset: Int64, total: Int64)
    case progress(written: Int64, expected: Int64)
    case saved(bytes: Int, isRight: Bool)
    case notSaved(any Error)
    case ended((any Error)?, status: Int)
}
