internal import CurlTransport
internal import Foundation

// Informational responses, and the ends of uploads.

extension TaskState {
    mutating func receive(informational head: ResponseHead, from loader: any Loader) {
        guard isCurrent(loader), let load = exchange.load else { return }
        if delegates.task != nil, let url = load.loadRequest.request.url {
            exchange.informationalHeads.append((url, head))
            delivery.note(.informational)
        }
        kind.upload?.receive(informational: head, of: load)
    }

    /// Fails the task because no credentials are available for the offset query.
    mutating func refuseInquiry() {
        let error = URLError(
            .userAuthenticationRequired,
            url: exchange.load?.loadRequest.request.url,
            reason: "the server requires credentials to resume the upload; answer the challenge in "
                + "the delegate, and resume with the same resume data."
        )
        guard exchange.load?.outcome == nil else { return finish(with: error) }
        // The load ends by itself, because the response has no body.
        if reason == nil { reason = error }
    }

    /// Fails the task because its content can't be sent any more.
    mutating func failUpload(_ fault: UploadFault) {
        kind.upload?.note(fault)
        finish(with: fault.error(url: exchange.currentRequest?.url))
    }

    /// Ends the load because its body failed. Returns the loader to cancel, if there is one.
    ///
    /// The body doesn't matter any more after the load, and after a redirect or a challenge: another
    /// request may follow, with a body of its own.
    mutating func stopSending(because error: any Error) -> (any Loader)? {
        guard exchange.loaderInFlight != nil else { return nil }
        switch exchange.load?.phase {
        case nil, .held?, .discarding?: return nil
        case .waiting?, .delivering?: return stop(because: exchange.bodyError(error))
        }
    }

    // MARK: Interruption

    /// The resume data for another task if this one ended now.
    var uploadToKeep: UploadResumeData? {
        isToBeResumed ? kind.upload?.resumeData : nil
    }

    /// - Parameter data: The resume data; `nil` for none.
    mutating func noteKept(upload data: Data?) {
        guard !hasEnded, let error = interruption.error else { return }
        if uploadToKeep != nil { interruption.resumeData = data }
        end(with: resumable(error))
    }
}
