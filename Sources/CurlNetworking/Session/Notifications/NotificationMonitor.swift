internal import CurlURLSession
internal import Foundation

/// Posts AFNetworking's notifications for the events of a manager.
///
/// The manager calls it before other monitors, on the thread of the event. It posts task
/// notifications on the main queue, in order, and the others at once.
struct NotificationMonitor: EventMonitor {
    let mainQueue: MainQueue

    func taskDidResume(_ task: URLSessionTask) {
        mainQueue.post(MainNotification(name: .networkingTaskDidResume, task: task))
    }

    func taskDidSuspend(_ task: URLSessionTask) {
        mainQueue.post(MainNotification(name: .networkingTaskDidSuspend, task: task))
    }

    func task(_ task: URLSessionTask, didCompleteWith outcome: TaskOutcome) {
        mainQueue.post(
            MainNotification(name: .networkingTaskDidComplete, task: task, outcome: outcome)
        )
    }

    func downloadTask(_ task: URLSessionDownloadTask, didMoveFileTo file: URL) {
        NotificationCenter.default.post(
            name: .urlSessionDownloadTaskDidMoveFileSuccessfully,
            object: task
        )
    }

    func downloadTask(
        _ task: URLSessionDownloadTask,
        didFailToMoveFileTo file: URL,
        error: any Error
    ) {
        var info: [AnyHashable: Any] = (error as NSError).userInfo
        info[URLSessionDownloadTaskDidFailToMoveFileErrorKey] = error as NSError
        NotificationCenter.default.post(
            name: .urlSessionDownloadTaskDidFailToMoveFile,
            object: task,
            userInfo: info
        )
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        NotificationCenter.default.post(name: .urlSessionDidInvalidate, object: session)
    }
}
