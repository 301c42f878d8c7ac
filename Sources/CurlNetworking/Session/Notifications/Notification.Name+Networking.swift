public import Foundation

// Notifications of managers, with AFNetworking's strings. A task's notifications are posted on the
// main queue, the others on the queue on which the manager calls its handlers.

extension Notification.Name {
    /// A task of a manager was resumed.
    ///
    /// Posted on the main queue for each call of `resume()` on a task that wasn't running. The
    /// object is the task.
    public static let networkingTaskDidResume = Notification.Name(
        rawValue: "com.alamofire.networking.task.resume"
    )

    /// A task of a manager was suspended.
    ///
    /// Posted on the main queue for each call of `suspend()` on a task that wasn't suspended. The
    /// object is the task.
    public static let networkingTaskDidSuspend = Notification.Name(
        rawValue: "com.alamofire.networking.task.suspend"
    )

    /// A task of a manager completed.
    ///
    /// Posted on the main queue after the completion handler has returned, or at once if the task
    /// has none. The object is the task. The result is in the user info, under the keys whose names
    /// begin with `NetworkingTaskDidComplete`.
    ///
    /// A program that doesn't drain its main queue receives no such notification. The oldest
    /// pending ones are dropped beyond 10,000 notifications or 64 MiB of bodies, and beyond 1,000
    /// notifications if none was posted for five seconds. One warning on standard error reports
    /// this. Completion handlers are called in any case.
    public static let networkingTaskDidComplete = Notification.Name(
        rawValue: "com.alamofire.networking.task.complete"
    )

    /// A manager's session became invalid.
    ///
    /// Posted on the manager's operation queue, after the handler of
    /// ``URLSessionManager/setSessionDidBecomeInvalid(_:)``. The object is the session.
    public static let urlSessionDidInvalidate = Notification.Name(
        rawValue: "com.alamofire.networking.session.invalidate"
    )

    /// A download's file was moved to its destination.
    ///
    /// Posted on the manager's operation queue. The object is the task.
    public static let urlSessionDownloadTaskDidMoveFileSuccessfully = Notification.Name(
        rawValue: "com.alamofire.networking.session.download.file-manager-succeed"
    )

    /// A download's file wasn't moved to its destination, and was deleted.
    ///
    /// Either moving it failed, or the response isn't acceptable and the destination already exists
    /// (``DownloadOptions/removePreviousFile``). Posted on the manager's operation queue. The
    /// object is the task. The user info is the error's own, and contains the error itself under
    /// ``URLSessionDownloadTaskDidFailToMoveFileErrorKey``.
    public static let urlSessionDownloadTaskDidFailToMoveFile = Notification.Name(
        rawValue: "com.alamofire.networking.session.download.file-manager-error"
    )
}

// The `userInfo` keys of the manager's notifications, with AFNetworking's strings.

/// The key of the object that the response serializer returned.
///
/// For a download with a destination it is the file's `URL`. Absent if there is no object.
public let NetworkingTaskDidCompleteSerializedResponseKey: String =
    "com.alamofire.networking.task.complete.serializedresponse"

/// The key of the response serializer, even if it wasn't used.
public let NetworkingTaskDidCompleteResponseSerializerKey: String =
    "com.alamofire.networking.task.complete.responseserializer"

/// The key of the response's body as received (`Data`).
///
/// The body may be empty; for a failed task it is the part that was received. Absent for a download
/// with a destination.
public let NetworkingTaskDidCompleteResponseDataKey: String =
    "com.alamofire.networking.complete.finish.responsedata"

/// The key of the error of a task or its response.
///
/// Absent for success. The error can always be cast to `NSError`, and one of the loading system also
/// to `URLError`. An error of another Swift type is under the `NSError`'s `NSUnderlyingErrorKey`.
public let NetworkingTaskDidCompleteErrorKey: String =
    "com.alamofire.networking.task.complete.error"

/// The key of a download's destination (`URL`).
public let NetworkingTaskDidCompleteAssetPathKey: String =
    "com.alamofire.networking.task.complete.assetpath"

/// The key of a task's metrics (`URLSessionTaskMetrics`).
public let NetworkingTaskDidCompleteSessionTaskMetrics: String =
    "com.alamofire.networking.complete.sessiontaskmetrics"

/// The key of the error of moving a download's file (`NSError`).
public let URLSessionDownloadTaskDidFailToMoveFileErrorKey: String =
    "com.alamofire.networking.session.download.file-manager-error.error"
