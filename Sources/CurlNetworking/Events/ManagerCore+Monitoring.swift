internal import CurlURLSession
internal import Foundation

// What a manager tells of its own accord, to AFNetworking's notifications and to monitors. What the session
// tells is handed on to monitors where the session tells it.

extension ManagerCore {
    private var notifications: NotificationMonitor { NotificationMonitor(mainQueue: mainQueue) }

    // MARK: Of which there are notifications

    func tellDidResume(_ task: URLSessionTask) {
        notifications.taskDidResume(task)
        monitors?.tell { $0.taskDidResume(task) }
    }

    func tellDidSuspend(_ task: URLSessionTask) {
        notifications.taskDidSuspend(task)
        monitors?.tell { $0.taskDidSuspend(task) }
    }

    func tellDidComplete(_ task: URLSessionTask, _ outcome: TaskOutcome) {
        notifications.task(task, didCompleteWith: outcome)
        monitors?.tell { $0.task(task, didCompleteWith: outcome) }
    }

    func tellDidMove(_ task: URLSessionDownloadTask, to file: URL) {
        notifications.downloadTask(task, didMoveFileTo: file)
        monitors?.tell { $0.downloadTask(task, didMoveFileTo: file) }
    }

    func tellDidFailToMove(_ task: URLSessionDownloadTask, to file: URL, _ error: any Error) {
        notifications.downloadTask(task, didFailToMoveFileTo: file, error: error)
        monitors?.tell { $0.downloadTask(task, didFailToMoveFileTo: file, error: error) }
    }

    func tellDidBecomeInvalid(_ session: URLSession, _ error: (any Error)?) {
        notifications.urlSession(session, didBecomeInvalidWithError: error)
        monitors?.tell { $0.urlSession(session, didBecomeInvalidWithError: error) }
    }

    // MARK: Of which there are none

    /// A task of the manager's was created.
    func created<Made: URLSessionTask>(_ task: Made) -> Made {
        monitors?.tell { $0.taskDidCreate(task) }
        return task
    }

    func tellDidFailToCreateRequest(_ error: any Error) {
        monitors?.tell { $0.didFailToCreateRequest(with: error) }
    }

    func tellDidAdapt(_ task: URLSessionTask, _ request: URLRequest, to adapted: URLRequest) {
        monitors?.tell { $0.task(task, didAdapt: request, to: adapted) }
    }

    func tellDidFailToAdapt(_ task: URLSessionTask, _ request: URLRequest, _ error: any Error) {
        monitors?.tell { $0.task(task, didFailToAdapt: request, error: error) }
    }

    func tellDidSerialize(_ task: URLSessionTask, _ outcome: TaskOutcome) {
        monitors?.tell { $0.task(task, didSerialize: outcome.object, error: outcome.error) }
    }

    func tellWillRetry(_ task: URLSessionTask, dueTo error: any Error, after delay: TimeInterval) {
        monitors?.tell { $0.taskWillRetry(task, dueTo: error, after: delay) }
    }
}
