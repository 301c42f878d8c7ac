internal import CurlTransport
internal import Foundation

// How an upload is begun that can be gone on with, and how one is gone on with.

extension TaskState {
    /// What is loaded first: the task's request, or the question how much of its body the server has.
    func firstPlan() -> LoadPlan? {
        if let upload { return upload.inquiry }
        guard let original else { return nil }
        return wholePlan(of: original, body)
    }

    /// - Parameter request: The task's, or another one that the delegate wants in its place.
    func wholePlan(of request: SharedRequest, _ body: TaskBody) -> LoadPlan {
        guard kind == .upload, isResumable(request.value, body) else {
            return LoadPlan(request, body: body)
        }
        return LoadPlan(request, body: body, upload: .whole)
    }

    private func isResumable(_ request: URLRequest, _ body: TaskBody) -> Bool {
        guard let settings = session?.core.settings, settings.allowsResumableUploads,
            !["GET", "HEAD"].contains(request.state.method),
            !UploadProtocol.isSpoken(in: settings.fields(for: request))
        else { return false }
        return switch body {
        case .data, .file: true
        case .none, .fileRest, .stream, .asked: false
        }
    }

    // MARK: What the server says

    mutating func receive(informational head: ResponseHead, from loader: any Loader) {
        guard isCurrent(loader), let load else { return }
        if recipients.task != nil, let url = load.plan.request.url {
            informationalHeads.append((url, head))
            delivery.noteInformational()
        }
        guard head.statusCode == UploadProtocol.statusCode else { return }
        if load.plan.upload == .whole, let content = content(of: load) {
            let offered = UploadResumeData(
                offer: head,
                request: load.plan.request,
                hasLeftOrigin: load.plan.hasLeftOrigin,
                content: content
            )
            if let offered { upload = offered }
        }
        if let offset = UploadProtocol.offset(head.values(of: UploadProtocol.offsetField)) {
            upload?.acknowledge(offset)
        }
    }

    private func content(of load: TaskLoad) -> UploadContent? {
        switch load.plan.body {
        case .data(let data): .data(data)
        case .file: load.file.map { .file($0) }
        case .none, .fileRest, .stream, .asked: nil
        }
    }

    /// What becomes of a response that would be the task's.
    mutating func uploadIntent(of response: LoadedResponse, _ step: UploadStep) -> Intent {
        // What is to be gone on with is there no longer, once the server has come to its end with it.
        guard let upload = self.upload.take() else { return .deliver }
        switch step {
        case .whole:
            return .deliver
        case .inquiry:
            switch upload.answer(to: response) {
            case .goesOn(let offset):
                var rest = upload.rest(from: offset)
                rest.authorization = load?.plan.authorization
                rest.adaptedFields = load?.plan.adaptedFields
                self.upload = upload
                self.upload?.acknowledge(offset)
                return .follow(rest)
            case .isComplete:
                return .deliver
            case .fault(let fault):
                return fail(upload, fault)
            }
        case .rest:
            guard let fault = upload.fault(of: response) else { return .deliver }
            return fail(upload, fault)
        }
    }

    private mutating func fail(_ upload: UploadResumeData, _ fault: UploadFault) -> Intent {
        if !fault.isFinal { self.upload = upload }
        return .fail(fault.error(url: load?.plan.request.url))
    }

    /// The server wants to know who asks how much it has, and nobody says so.
    mutating func refuseInquiry() {
        let error = URLError(
            .userAuthenticationRequired,
            url: load?.plan.request.url,
            reason: "the server asks who wants to go on with an upload; have the delegate answer, "
                + "and go on with the same resume data."
        )
        guard load?.outcome == nil else { return finish(with: error) }
        // It ends by itself, as it has no content.
        if reason == nil { reason = error }
    }

    /// The content can't be sent any more as it was.
    mutating func failUpload(_ fault: UploadFault) {
        if fault.isFinal { upload = nil }
        finish(with: fault.error(url: currentRequest?.url))
    }

    // MARK: Ending early

    /// With what another task goes on, should this one end now.
    var uploadToKeep: UploadResumeData? {
        kind == .upload && isToBeResumed ? upload : nil
    }

    /// - Parameter data: What another task goes on with; `nil` for none.
    mutating func noteKept(upload data: Data?) {
        guard !hasEnded, let error = interruption.error else { return }
        if uploadToKeep != nil { interruption.resumeData = data }
        end(with: resumable(error))
    }
}
