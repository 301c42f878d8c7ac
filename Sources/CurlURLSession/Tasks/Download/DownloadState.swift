internal import CurlTransport
internal import Foundation

/// The state of a download task: its file, and the data to resume it.
struct DownloadState: Sendable {
    /// The data task that became this download, until the delegate was notified.
    var former: URLSessionDataTask?
    var file: DownloadFile?
    /// The number of bytes in the file that was last reported.
    private var reported: Int64 = 0
    /// The file with the body of a completed download.
    private var finishedFile: URL?
    /// All bytes of the file have arrived. The last ones are written next.
    private(set) var isCompleting = false

    /// The data of the partial file that this attempt resumes.
    @Indirect private(set) var resumption: ResumeData? = nil
    /// The resume data of the first attempt. Later attempts may use it as well.
    @Indirect private var resumedFrom: ResumeData? = nil
    /// Whether the partial file of the resume data no longer exists.
    private var isResumptionVoid = false
    /// Whether the complete content was requested instead of the rest. The server couldn't provide
    /// the rest.
    private(set) var hasRestarted = false
    /// The offset of a resumed download, until the delegate was notified.
    private(set) var resumedAt: Int64?

    init(former: URLSessionDataTask? = nil, resuming resumption: ResumeData? = nil) {
        self.former = former
        self.resumption = resumption
    }

    /// The location of the body, also after the file was handed over.
    var location: URL? { finishedFile ?? file?.url }

    // MARK: The response

    /// What a response adds to a partial file.
    struct Continuation {
        /// The number of bytes in the file.
        let offset: Int64
        /// The number of bytes of the whole content.
        let total: Int64
    }

    /// Chooses the file for a response: a new one or a partial one.
    ///
    /// - Parameters:
    ///   - queue: The queue that writes the file.
    ///   - isReported: Whether a delegate gets the offset of a resumed download.
    /// - Returns: What the response adds; `nil` for a new file.
    mutating func beginFile(
        for response: LoadedResponse,
        queue: OperationQueue,
        isReported: Bool
    ) -> Continuation? {
        guard let resumption else {
            file = DownloadFile(queue: queue)
            return nil
        }
        switch hasRestarted ? .restarts : resumption.answer(to: response) {
        case .resumes(let end, let total):
            reported = resumption.offset
            file = DownloadFile(
                resuming: resumption.file,
                at: resumption.offset,
                upTo: end,
                queue: queue
            )
            resumedAt = isReported ? resumption.offset : nil
            return Continuation(offset: resumption.offset, total: total)
        case .restarts, .requestsWholeContent:
            file = DownloadFile(queue: queue)
            self.resumption = nil
            resumedAt = isReported ? 0 : nil
            // After a server error, another attempt may resume the file.
            if resumption.isVoid(after: response) {
                isResumptionVoid = true
                DownloadFile(resuming: resumption.file, queue: queue).discard()
            }
            return nil
        }
    }

    /// Whether the response to a request for the rest is unusable. The whole content is requested
    /// then.
    func needsWholeContent(after response: LoadedResponse) -> Bool {
        guard !hasRestarted, let resumption else { return false }
        return resumption.answer(to: response) == .requestsWholeContent
    }

    /// Restarts a download whose remaining bytes the server can't provide.
    ///
    /// It uses the same URL and credentials. The partial file is kept until the complete content
    /// has arrived.
    ///
    /// - Returns: The request for the complete content; `nil` if `loadRequest` asks for it already.
    mutating func restart(_ loadRequest: LoadRequest) -> LoadRequest? {
        guard resumption != nil, !hasRestarted else { return nil }
        hasRestarted = true
        var loadRequest = loadRequest
        loadRequest.request = ResumeData.wholeRequest(of: loadRequest.request)
        return loadRequest
    }

    /// The progress of the file since the last report; `nil` without a file.
    ///
    /// - Parameter expected: The expected number of bytes; -1 if unknown.
    mutating func takeProgress(expected: Int64) -> DownloadProgress? {
        guard let file else { return nil }
        let total = file.written
        defer {
            reported = total
            resumedAt = nil
        }
        return DownloadProgress(
            resumedAt: resumedAt,
            written: total - reported,
            total: total,
            expected: expected
        )
    }

    // MARK: The end

    /// Records that all bytes of the file have arrived.
    mutating func beginCompletion() { isCompleting = true }

    /// Keeps the file as a partial one, if its last bytes aren't being written yet.
    mutating func cancelCompletion() { isCompleting = false }

    /// Takes the file whose bytes have all arrived, to write the last ones.
    mutating func takeFileToComplete() -> DownloadFile? {
        guard isCompleting, let file else { return nil }
        isCompleting = false
        return file
    }

    /// Records that the file is complete. A partial file was renamed.
    mutating func noteCompletion() {
        if resumption != nil { isResumptionVoid = true }
    }

    /// Discards the file. The server sent another range than it announced.
    mutating func refuseFile() {
        file?.discard()
        (file, resumption, isResumptionVoid) = (nil, nil, true)
    }

    /// Takes the file of a completed task.
    mutating func close(hasFailed: Bool) -> DownloadFile? {
        finishedFile = hasFailed ? nil : file?.url
        return file.take()
    }

    // MARK: Attempts

    /// Keeps the resume data for later attempts.
    mutating func noteFirstAttempt() {
        resumedFrom = resumption
    }

    /// Resets the state for another attempt, and discards the file that the attempt has written. A
    /// file that existed before is kept, and the next attempt resumes it.
    mutating func prepareNextAttempt() {
        if let file = file.take() {
            if let former = resumedFrom, !isResumptionVoid, file.url == former.file {
                file.closeKeepingFile()
            } else {
                file.discard()
            }
        }
        (finishedFile, isCompleting) = (nil, false)
        (reported, hasRestarted) = (0, false)
    }

    /// Resumes what the first attempt has resumed.
    ///
    /// - Returns: The request for the complete content if the partial file no longer exists.
    mutating func resumeAgain() -> URLRequest? {
        guard isResumptionVoid else {
            resumption = resumedFrom
            return nil
        }
        resumption = nil
        return resumedFrom?.wholeRequest
    }
}

/// The growth of a download's file, in bytes.
struct DownloadProgress: Sendable {
    /// Where the download resumed; `nil` for a new file, and once reported.
    let resumedAt: Int64?
    /// The number since the last report.
    let written: Int64
    let total: Int64
    /// The expected total; -1 if unknown.
    let expected: Int64
}
