internal import CurlTransport
internal import Foundation

// Where a download's content goes.

extension TaskState {
    /// Chooses the file for a response: a new one, or the one that a cancelled download has left.
    mutating func beginFile(for response: LoadedResponse) {
        guard let files = session?.core.files else { return }
        guard let resumption else {
            file = DownloadFile(queue: files)
            return
        }
        switch resumption.answer(to: response) {
        case .goesOn(let total):
            counts.received = resumption.offset
            counts.writtenToldOf = resumption.offset
            counts.expectedToReceive = total
            file = DownloadFile(
                resuming: resumption.file,
                at: resumption.offset,
                queue: files
            )
            resumedAt = consumer.isDelegate ? resumption.offset : nil
            if resumedAt != nil, recipients.download != nil { delivery.noteBytes() }
        case .startsAnew:
            file = DownloadFile(queue: files)
            let former = DownloadFile(resuming: resumption.file, queue: files)
            former.discard()
        }
    }

    /// Bytes were written.
    mutating func noteWritten(by file: DownloadFile) {
        guard self.file === file, !hasEnded else { return }
        if consumer.isDelegate, recipients.download != nil { delivery.noteBytes() }
        reopenWindow()
    }

    /// A file that is to be kept, and what it is the beginning of.
    struct KeptFile {
        let file: DownloadFile
        let request: URLRequest
        let response: HTTPURLResponse
    }

    /// Gives the file away, before the task is cancelled; `nil` where there is none to keep.
    mutating func keepFile() -> KeptFile? {
        guard !hasEnded, !life.isCancelled, let file, let request = originalRequest,
            let response = response() as? HTTPURLResponse
        else { return nil }
        self.file = nil
        return KeptFile(file: file, request: request, response: response)
    }

    /// What there is to tell of a file's growth; `nil` for nothing.
    mutating func takeProgress() -> DownloadProgress? {
        guard let file else { return nil }
        let total = file.written
        defer {
            counts.writtenToldOf = total
            resumedAt = nil
        }
        return DownloadProgress(
            resumedAt: resumedAt,
            written: total - counts.writtenToldOf,
            total: total,
            expected: counts.expectedToReceive
        )
    }
}
