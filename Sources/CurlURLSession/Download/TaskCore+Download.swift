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

    /// - Parameter count: How many bytes the file has; `nil` where it is of no use.
    func file(_ file: DownloadFile, isKeptWith count: Int64?) {
        state.withLock { $0.noteKept(file, bytes: count) }
        advance()
    }

    /// Cancels a download or an upload, and keeps what another one goes on with.
    func cancel(byProducingResumeData handler: ResumeDataHandler) {
        let (isTaken, loader, session) = state.withLock { state in
            let isTaken = state.take(handler)
            return (isTaken, state.cancel(), state.session)
        }
        if !isTaken { handOver(nil, to: [handler], session?.core.events) }
        loader?.cancel()
        advance()
    }

    /// - Parameter events: Where the handlers are called; with `nil`, here.
    func handOver(_ data: Data?, to handlers: [ResumeDataHandler], _ events: DelegateEvents?) {
        let call: @Sendable () -> Void = {
            for handler in handlers { handler.handler(data) }
        }
        if let events { events.append(.call(call)) } else { call() }
    }
}
