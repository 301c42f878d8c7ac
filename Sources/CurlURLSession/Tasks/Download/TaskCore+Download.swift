internal import CurlTransport
internal import Foundation
internal import Posix
internal import Synchronization

// Callbacks of a download's file, on the queue that writes files.

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
        let url = state.withLock { $0.exchange.currentRequest?.url }
        stop(
            because: URLError(
                .cannotWriteToFile,
                url: url,
                reason: "the download couldn't be written to a file: \(error).",
                underlying: Self.foundationError(error)
            )
        )
    }

    /// The error of a system call as Foundation's `POSIXError`; any other error as it is.
    private static func foundationError(_ error: any Error) -> any Error {
        guard let error = error as? FileError, let code = POSIXErrorCode(rawValue: error.errno)
        else { return error }
        return POSIXError(code)
    }

    /// - Parameter count: The number of bytes in the file; `nil` if it is unusable.
    func file(_ file: DownloadFile, isKeptWith count: Int64?) {
        state.withLock { $0.noteKept(file, bytes: count) }
        advance()
    }

    /// Cancels a download or upload, and keeps the data to resume it.
    func cancel(byProducingResumeData handler: ResumeDataHandler) {
        let (isTaken, loader, session) = state.withLock { state in
            let isTaken = state.take(handler)
            return (isTaken, state.cancel(), state.session)
        }
        if !isTaken { deliverResumeData(nil, to: [handler], session?.core.events) }
        loader?.cancel()
        advance()
    }

    /// - Parameter events: The queue that calls the handlers; `nil` to call them here.
    func deliverResumeData(
        _ data: Data?,
        to handlers: [ResumeDataHandler],
        _ events: DelegateEvents?
    ) {
        let call: @Sendable () -> Void = {
            for handler in handlers { handler.handler(data) }
        }
        if let events { events.append(.call(call)) } else { call() }
    }
}
