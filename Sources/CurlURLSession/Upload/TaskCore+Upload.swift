internal import CurlTransport
internal import Foundation
internal import Synchronization

// What is done about an upload that was interrupted, and told of informational heads.

extension TaskCore {
    /// Makes resume data, which may have many bytes to copy: not on a loop's thread.
    func keep(_ upload: UploadResumeData?) {
        SessionCore.work.async { [self] in
            let data = upload?.encoded
            state.withLock { $0.noteKept(upload: data) }
            advance()
        }
    }

    /// Why what an upload goes on with can't be sent any more; `nil` where it can. Reads the disk.
    func contentFault(of plan: LoadPlan) -> UploadFault? {
        guard let step = plan.upload, step != .whole,
            case .file(let file) = state.withLock({ $0.upload })?.content
        else { return nil }
        return file.fault
    }

    func loader(_ loader: any Loader, didReceiveInformational head: ResponseHead) {
        state.withLock { $0.receive(informational: head, from: loader) }
    }

    func tellInformational(_ step: TaskStep) {
        let heads = state.withLock { state in
            defer { state.informationalHeads = [] }
            return state.informationalHeads
        }
        for (url, head) in heads {
            step.recipients.task?.urlSession(
                step.session,
                task: step.task,
                didReceiveInformationalResponse: HTTPURLResponse(url: url, head: head)
            )
        }
    }
}
