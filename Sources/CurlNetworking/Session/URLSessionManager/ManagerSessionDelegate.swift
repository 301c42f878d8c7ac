internal import CurlURLSession
internal import Foundation

/// The delegate of a manager's session. It calls the manager's handlers for events that a task's
/// own delegate doesn't handle, and for all events of tasks that the user has created with the
/// session.
///
/// It retains the manager's core, not the manager.
final class ManagerSessionDelegate: NSObject {
    let core: ManagerCore

    init(core: ManagerCore) {
        self.core = core
    }
}

// MARK: - The session and all tasks

extension ManagerSessionDelegate: ManagerDelegate {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        core.handler { $0.sessionDidBecomeInvalid }?(session, error)
        core.post(.didBecomeInvalid(session, error: error))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        core.notify(
            .willPerformHTTPRedirection(session, task, response: response, newRequest: request)
        )
        guard let handler = core.handler({ $0.taskWillRedirect }) else {
            return completionHandler(task.usualAnswer(toRedirect: request))
        }
        completionHandler(handler(session, task, response, request))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        core.notify(.needsNewBodyStream(session, task))
        if let handler = core.handler({ $0.taskNeedsBodyStream }) {
            completionHandler(handler(session, task))
        } else {
            completionHandler(task.originalRequest?.httpBodyStream?.anotherOne)
        }
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        core.notify(.isWaitingForConnectivity(session, task))
    }

    // MARK: Data tasks

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        core.notify(.willCacheResponse(session, dataTask, response: proposedResponse))
        guard let handler = core.handler({ $0.dataTaskWillCache }) else {
            return completionHandler(dataTask.usualAnswer(toProposal: proposedResponse))
        }
        completionHandler(handler(session, dataTask, proposedResponse))
    }

    // MARK: Downloads

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        let file = core.handler { $0.downloadDidFinish }?(session, downloadTask, location)
        if let file { _ = core.move(location, to: file, [], of: downloadTask) }
    }
}
