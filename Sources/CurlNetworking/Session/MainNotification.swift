internal import CurlURLSession
internal import Foundation

/// A notification about a task, to be posted on the main queue. What it tells is put together there.
///
/// A class, so that no queue moves all that a task has come to.
final class MainNotification: Sendable {
    let name: Notification.Name
    let task: URLSessionTask
    /// Of a task that is over.
    let outcome: TaskOutcome?

    init(name: Notification.Name, task: URLSessionTask, outcome: TaskOutcome? = nil) {
        (self.name, self.task, self.outcome) = (name, task, outcome)
    }

    /// Of the body that it holds.
    var byteCount: Int { outcome?.data?.count ?? 0 }

    func post() {
        NotificationCenter.default.post(name: name, object: task, userInfo: outcome?.userInfo)
    }
}
