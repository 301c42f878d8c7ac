internal import CurlTransport
internal import Foundation

/// The state of an upload task: the data to resume it.
struct UploadState: Sendable {
    /// The resume data, if the server has offered resumption.
    @Indirect private(set) var resumeData: UploadResumeData? = nil

    init(resuming resumeData: UploadResumeData? = nil) {
        self.resumeData = resumeData
    }

    /// Whether the upload of a body can be resumed if the server offers it.
    static func isResumable(
        _ request: URLRequest,
        _ body: TaskBody,
        _ settings: SessionSettings
    ) -> Bool {
        guard settings.allowsResumableUploads,
            !["GET", "HEAD"].contains(request.state.method),
            !UploadProtocol.isUsed(by: settings.fields(for: request))
        else { return false }
        return switch body {
        case .data, .file: true
        case .none, .fileRest, .stream, .sequence, .asked: false
        }
    }

    /// Records that a request is sent.
    ///
    /// - Parameter step: The request's step; `nil` if it isn't of a resumable upload.
    mutating func begin(_ step: UploadStep?) {
        if step == nil || step == .whole { resumeData = nil }
    }

    /// Accepts a server's offer of resumption, and the offset that it has acknowledged.
    mutating func receive(informational head: ResponseHead, of load: TaskLoad) {
        guard head.statusCode == UploadProtocol.statusCode else { return }
        if load.loadRequest.upload == .whole, let content = content(of: load) {
            let offered = UploadResumeData(
                offer: head,
                request: load.loadRequest.request,
                hasLeftOrigin: load.loadRequest.hasLeftOrigin,
                content: content
            )
            if let offered { resumeData = offered }
        }
        if let offset = UploadProtocol.offset(head.values(of: UploadProtocol.offsetField)) {
            resumeData?.acknowledge(offset)
        }
    }

    private func content(of load: TaskLoad) -> UploadContent? {
        switch load.loadRequest.body {
        case .data(let data): .data(data)
        case .file: load.file.map { .file($0) }
        case .none, .fileRest, .stream, .sequence, .asked: nil
        }
    }

    /// Decides what to do with a response that would otherwise be delivered.
    mutating func intent(
        of response: LoadedResponse,
        to loadRequest: LoadRequest,
        _ step: UploadStep
    ) -> ResponseIntent {
        guard let resumeData else { return .deliver }
        switch step {
        case .whole:
            break
        case .inquiry:
            switch resumeData.answer(to: response) {
            case .resumes(let offset):
                var rest = resumeData.rest(from: offset)
                rest.authorization = loadRequest.authorization
                rest.adaptedFields = loadRequest.adaptedFields
                self.resumeData?.acknowledge(offset)
                return .follow(rest)
            case .isComplete:
                break
            case .fault(let fault):
                return fail(fault, loadRequest)
            }
        case .rest:
            if let fault = resumeData.fault(of: response) { return fail(fault, loadRequest) }
        }
        // The response is final: the server keeps nothing that another task could resume.
        release()
        return .deliver
    }

    private mutating func fail(_ fault: UploadFault, _ loadRequest: LoadRequest) -> ResponseIntent {
        note(fault)
        return .fail(fault.error(url: loadRequest.request.url))
    }

    /// Records a fault. After a final one, the upload can't be resumed.
    mutating func note(_ fault: UploadFault) {
        if fault.isFinal { release() }
    }

    /// Releases the resume data.
    mutating func release() {
        resumeData = nil
    }
}
