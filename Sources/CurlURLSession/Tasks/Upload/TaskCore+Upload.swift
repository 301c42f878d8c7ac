internal import CurlTransport
internal import Foundation
internal import Synchronization

// Handles interrupted uploads, and delivers informational heads.

extension TaskCore {
    /// Produces resume data. May copy many bytes, so it doesn't run on a loop's thread.
    func keep(_ upload: UploadResumeData?) {
        SessionCore.work.async { [self] in
            let data = upload?.encoded
            state.withLock { $0.noteKept(upload: data) }
            advance()
        }
    }

    /// The reason why the upload's content can't be sent any more. `nil` if it can. Reads the disk.
    func contentFault(of loadRequest: LoadRequest) -> UploadFault? {
        guard let step = loadRequest.upload, step != .whole,
            case .file(let file) = state.withLock({ $0.kind.upload?.resumeData })?.content
        else { return nil }
        return file.fault
    }

    func notifyInformational(_ step: TaskStep) {
        let heads = state.withLock { state in
            defer { state.exchange.informationalHeads = [] }
            return state.exchange.informationalHeads
        }
        for (url, head) in heads {
            step.delegates.task?.urlSession(
                step.session,
                task: step.task,
                didReceiveInformationalResponse: HTTPURLResponse(url: url, head: head)
            )
        }
    }
}
