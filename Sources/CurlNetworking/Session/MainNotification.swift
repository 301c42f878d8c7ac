internal import CurlURLSession
internal import Foundation

/// A notification about a task, to be posted on the main queue. What it tells is put together there.
struct MainNotification: Sendable {
    let name: Notification.Name
    let task: URLSessionTask
    /// Of a task that is over.
    var outcome: TaskOutcome?

    /// Of the body that it holds.
    var byteCount: Int { outcome?.data?.count ?? 0 }

    func post() {
        NotificationCenter.default.post(name: name, object: task, userInfo: outcome?.userInfo)
    }
}
