internal import CurlTransport
internal import Foundation
internal import Synchronization

// What the file of a download tells, on the queue where files are written.

extension TaskCore {
    func fileHasWritten(_ file: DownloadFile) {
        state.withLock { $0.noteWritten(by: file) }
        advance()
    }

    func fileIsComplete(_ file: DownloadFile) {
        state.withLock { $0.completeFile(file) }
        advance()
    }

    func file(_ file: DownloadFile, didFail error: any Error) {
        let url = state.withLock { $0.currentRequest?.url }
        stop(
            because: URLError(
                .cannotWriteToFile,
                url: url,
                reason: "the file \(file.url.path) couldn't be written: \(error).",
                underlying: error
            )
        )
    }

    /// Cancels a download and keeps its file.
    func cancel(byProducingResumeData handler: ResumeDataHandler) {
        let (kept, session) = state.withLock { ($0.keepFile(), $0.session) }
        cancel()
        guard let session else { return handler.handler(nil) }
        let events = session.core.events
        guard let kept else { return events.append(.call { handler.handler(nil) }) }
        kept.file.keep { count in
            let resumption = count.flatMap { count in
                ResumeData(
                    request: kept.request,
                    response: kept.response,
                    file: kept.file.url,
                    offset: count
                )
            }
            let data = resumption?.encoded
            if data == nil { kept.file.discard() }
            events.append(.call { handler.handler(data) })
        }
    }
}
