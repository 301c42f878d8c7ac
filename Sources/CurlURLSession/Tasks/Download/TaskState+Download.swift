internal import CurlTransport
internal import Foundation

// The file of a download.

extension TaskState {
    /// Chooses the file for a response: a new one or a partial one.
    mutating func beginFile(for response: LoadedResponse) {
        guard let files = session?.core.files else { return }
        let isReported = consumer.isDelegate || reportsFile
        let continuation = kind.download?.beginFile(
            for: response,
            queue: files,
            isReported: isReported
        )
        if let continuation {
            counts.received = continuation.offset
            counts.expectedToReceive = continuation.total
        }
        if kind.download?.resumedAt != nil, delegates.download != nil { delivery.note(.bytes) }
    }

    /// Whether the task writes this file.
    private func isCurrent(_ file: DownloadFile) -> Bool { kind.download?.file === file }

    /// Handles that the file has written bytes.
    mutating func noteWritten(by file: DownloadFile) {
        guard isCurrent(file), !hasEnded, !life.isCancelled else { return }
        if reportsFile { delivery.note(.bytes) }
        reopenWindow()
    }

    /// Completes the task once the last bytes of its file are written.
    mutating func complete(_ file: DownloadFile) {
        if let end = file.end {
            // More bytes than `Content-Range` announced: their position is unknown (RFC 9110,
            // 14.4).
            if counts.received > end { return refuseFile() }
            // A server may send less than the requested range (RFC 9110, 15.3.7).
            if counts.received < counts.expectedToReceive { return finish(with: incompleteFile) }
        }
        kind.download?.beginCompletion()
    }

    /// Fails the task and discards the file. The server sent another range than it announced.
    private mutating func refuseFile() {
        kind.download?.refuseFile()
        finish(
            with: URLError(
                .badServerResponse,
                url: exchange.currentRequest?.url,
                reason: "the server sent more bytes than its Content-Range announced. Restart "
                    + "the download."
            )
        )
    }

    private var incompleteFile: URLError {
        URLError(
            .networkConnectionLost,
            url: exchange.currentRequest?.url,
            reason: "the server sent only a part of the missing bytes: \(counts.received) of "
                + "\(counts.expectedToReceive) bytes are complete. Resume with the resume data."
        )
    }

    /// Records that a download's file is complete.
    mutating func completeFile(_ file: DownloadFile) {
        guard isCurrent(file), !hasEnded, interruption.error == nil else { return }
        kind.download?.noteCompletion()
        // Reports the last written bytes.
        if reportsFile { delivery.note(.bytes) }
        delivery.note(.file)
        hasEnded = true
        delivery.noteEnd(hasFailed: false)
    }
}

// MARK: Ending early

extension TaskState {
    /// Records a handler for resume data, before the task is cancelled for it. Returns `false` if
    /// there is nothing left to cancel.
    mutating func take(_ handler: ResumeDataHandler) -> Bool {
        guard !delivery.isOver, !life.isCancelled, !life.isCompleted else { return false }
        interruption.handlers.append(handler)
        return true
    }

    /// Whether a failure or cancellation now keeps the partial file.
    var keepsContent: Bool {
        kind.download?.file != nil && isToBeResumed
    }

    /// Whether resume data is wanted if the task ends now.
    var isToBeResumed: Bool {
        if life.isCancelled { return !interruption.handlers.isEmpty }
        return kind.isUpload || session?.core.settings.keepsFailedDownloads ?? false
    }

    /// Handles that the file has all received bytes and is closed.
    ///
    /// - Parameter count: The number of bytes in it; `nil` if it is unusable.
    mutating func noteKept(_ file: DownloadFile, bytes count: Int64?) {
        guard isCurrent(file), !hasEnded, let error = interruption.error else { return }
        // A range that the request itself asked for doesn't begin where the file does.
        if isToBeResumed, let count, let request = exchange.originalRequest,
            let response = exchange.response() as? HTTPURLResponse,
            response.statusCode == 200 || kind.download?.resumption != nil
        {
            let resumption = ResumeData(
                request: request,
                response: response,
                file: file.url,
                offset: count,
                total: counts.expectedToReceive > 0 ? counts.expectedToReceive : nil
            )
            interruption.resumeData = resumption?.encoded
        }
        end(with: resumable(error))
    }

    /// The error with resume data. It is for the kept file, or is what this download would have
    /// resumed itself.
    mutating func resumable(_ error: any Error) -> any Error {
        if let download = kind.download, download.file == nil, isToBeResumed,
            let resumption = download.resumption
        {
            interruption.resumeData = resumption.encoded
        }
        guard let data = interruption.resumeData, let error = error as? URLError else {
            return error
        }
        return error.with(resumeData: data, isUpload: kind.isUpload)
    }
}
