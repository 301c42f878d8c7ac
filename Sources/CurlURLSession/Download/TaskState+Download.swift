internal import CurlTransport
internal import Foundation

// Where a download's content goes.

extension TaskState {
    /// Chooses the file for a response: a new one, or the one that a cancelled download has left.
    mutating func beginFile(for response: LoadedResponse) {
        guard let files = session?.core.files else { return }
        defer {
            if resumedAt != nil, recipients.download != nil { delivery.noteBytes() }
        }
        guard let resumption else {
            file = DownloadFile(queue: files)
            return
        }
        switch hasRestarted ? .startsAnew : resumption.answer(to: response) {
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
        case .startsAnew:
            file = DownloadFile(queue: files)
            self.resumption = nil
            resumedAt = consumer.isDelegate ? 0 : nil
            // After a failure of the server's, another attempt may go on with it.
            if resumption.isVoid(after: response) {
                isResumptionVoid = true
                DownloadFile(resuming: resumption.file, queue: files).discard()
            }
        }
    }

    /// Bytes were written.
    mutating func noteWritten(by file: DownloadFile) {
        guard self.file === file, !hasEnded, !life.isCancelled else { return }
        if consumer.isDelegate, recipients.download != nil { delivery.noteBytes() }
        reopenWindow()
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

// MARK: Ending early

extension TaskState {
    /// Takes who is to be told of the resume data, before the task is cancelled for it. False if
    /// there is nothing to cancel any more.
    mutating func take(_ handler: ResumeDataHandler) -> Bool {
        guard !delivery.isOver, !life.isCancelled, !life.isCompleted else { return false }
        interruption.handlers.append(handler)
        return true
    }

    /// Whether a failure, or a cancellation for the sake of resume data, leaves a file to go on with.
    var keepsContent: Bool {
        kind == .download && file != nil && isToBeResumed
    }

    /// Whether somebody wants to go on with the task, should it end now.
    var isToBeResumed: Bool {
        if life.isCancelled { return !interruption.handlers.isEmpty }
        return kind == .upload || session?.core.settings.keepsFailedDownloads ?? false
    }

    /// The file has all that has come.
    ///
    /// - Parameter count: How many bytes it has; `nil` where it is of no use.
    mutating func noteKept(_ file: DownloadFile, bytes count: Int64?) {
        guard self.file === file, !hasEnded, let error = interruption.error else { return }
        // A part that the request itself asked for begins elsewhere than the file.
        if isToBeResumed, let count, let request = originalRequest,
            let response = response() as? HTTPURLResponse,
            response.statusCode == 200 || resumption != nil
        {
            let resumption = ResumeData(
                request: request,
                response: response,
                file: file.url,
                offset: count
            )
            interruption.resumeData = resumption?.encoded
        }
        end(with: resumable(error))
    }

    /// The error with what the download goes on with: what is kept of it, or that which it would have
    /// gone on with itself.
    mutating func resumable(_ error: any Error) -> any Error {
        if file == nil, isToBeResumed, let resumption {
            interruption.resumeData = resumption.encoded
        }
        guard let data = interruption.resumeData, let error = error as? URLError else {
            return error
        }
        return error.with(resumeData: data, of: kind)
    }
}
