internal import Curl
internal import HTTPTypes

/// All that a loop needs to know of a transfer: the one thing that crosses to it.
final class TransferPlan: Sendable {
    let id: TransferID
    let request: HTTPRequest
    let body: RequestBody
    let options: PreparedOptions
    let delegate: any TransferDelegate
    let submitted: MonotonicTime

    init(id: TransferID, request: TransferRequest, delegate: any TransferDelegate) {
        self.id = id
        self.request = request.request
        body = request.body
        options = request.options
        self.delegate = delegate
        submitted = .now
    }
}
