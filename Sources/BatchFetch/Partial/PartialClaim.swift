import Synchronization

/// The right of one URL to a file in the folder of partial files, for as long as the URL is on its way
/// through the run: of two lines with the same URL one has it.
final class PartialClaim: Sendable {
    let folder: PartialFolder
    let key: String
    /// What is there; nil before anything is.
    private let record: Mutex<PartialRecord?>

    init(_ key: String, in folder: PartialFolder, record: PartialRecord? = nil) {
        self.key = key
        self.folder = folder
        self.record = Mutex(record)
    }

    deinit { folder.release(key) }

    /// Where the bytes are.
    var path: String { "\(folder.path)/\(key)" }

    /// Where the record is.
    var recordPath: String { path + PartialFolder.recordEnding }

    /// Where the next record is while it is written.
    var newRecordPath: String { recordPath + ".new" }

    var content: PartialRecord? { record.withLock { $0 } }

    func note(_ content: PartialRecord?) { record.withLock { $0 = content } }
}
