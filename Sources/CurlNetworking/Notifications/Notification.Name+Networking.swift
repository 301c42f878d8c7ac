public import Foundation

// What managers post, with AFNetworking's strings. A task's notifications are posted on the main queue,
// the others where the manager's handlers are called.

extension Notification.Name {
    /// A task of a manager was resumed. Posted on the main queue for each call of `resume()` that came
    /// while the task wasn't running; the object is the task.
    public static let networkingTaskDidResume = Notification.Name(
        rawValue: "com.alamofire.networking.task.resume"
    )

    /// A task of a manager was suspended. Posted on the main queue for each call of `suspend()` that came
    /// while the task wasn't suspended; the object is the task.
    public static let networkingTaskDidSuspend = Notification.Name(
        rawValue: "com.alamofire.networking.task.suspend"
    )

    /// A task of a manager is over. Posted on the main queue after its completion handler has returned,
    /// or at once where it has none. The object is the task; what it came to is in the user info, under
    /// the keys whose names begin with `NetworkingTaskDidComplete`.
    ///
    /// In a program that doesn't drain its main queue, none is posted. Of those that wait for it, the
    /// oldest are dropped beyond 10,000, or 64 MiB of bodies; once none was posted for five seconds,
    /// beyond 1,000. A warning on the standard error says so once. Completion handlers are called in any
    /// case.
    public static let networkingTaskDidComplete = Notification.Name(
        rawValue: "com.alamofire.networking.task.complete"
    )

    /// A manager's session has become invalid. Posted on the manager's operation queue, after the handler
    /// of ``URLSessionManager/setSessionDidBecomeInvalid(_:)``; the object is the session.
    public static let urlSessionDidInvalidate = Notification.Name(
        rawValue: "com.alamofire.networking.session.invalidate"
    )

    /// A download's file was moved to where it was wanted. Posted on the manager's operation queue; the
    /// object is the task.
    public static let urlSessionDownloadTaskDidMoveFileSuccessfully = Notification.Name(
        rawValue: "com.alamofire.networking.session.download.file-manager-succeed"
    )

    /// A download's file couldn't be moved to where it was wanted, or wasn't, as its response is a refusal
    /// and another file is there (``DownloadOptions/removePreviousFile``), and is gone. Posted on the manager's
    /// operation queue; the object is the task. The user info is the error's own, and has the error
    /// itself under ``URLSessionDownloadTaskDidFailToMoveFileErrorKey``.
    public static let urlSessionDownloadTaskDidFailToMoveFile = Notification.Name(
        rawValue: "com.alamofire.networking.session.download.file-manager-error"
    )
}
