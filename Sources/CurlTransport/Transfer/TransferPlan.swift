internal import Curl
internal import HTTPTypes

/// All that a loop needs to know of a transfer: the one thing that crosses to it.
final class TransferPlan: Sendable {
    let id: TransferID
    let request: HTTPRequest
    let body: PlannedBody
    let options: PreparedOptions
    /// In nanoseconds.
    let timeLimit: Int64?
    let delegate: any TransferDelegate
    let submitted: MonotonicTime

    /// Opens the file that the body may be, so that it may wait for a disk.
    init(
        id: TransferID,
        request: TransferRequest,
        delegate: any TransferDelegate,
        files: BlockingWorker
    ) throws(TransportError) {
        self.id = id
        self.request = request.request
        body = try PlannedBody(
            request.body,
            announced: request.request.headerFields[.contentLength].flatMap { Int64($0) },
            files: files
        )
        options = request.options
        timeLimit = request.timeLimit?.wholeNanoseconds
        self.delegate = delegate
        submitted = .now
    }
}
