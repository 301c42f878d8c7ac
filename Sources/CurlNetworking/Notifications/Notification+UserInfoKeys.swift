// The keys of what managers' notifications have in their user infos, with AFNetworking's strings.

/// What a response serializer made of a task's response; for a download with a destination, its `URL`.
/// Absent where there is nothing.
public let NetworkingTaskDidCompleteSerializedResponseKey: String =
    "com.alamofire.networking.task.complete.serializedresponse"

/// The response serializer, be it used or not.
public let NetworkingTaskDidCompleteResponseSerializerKey: String =
    "com.alamofire.networking.task.complete.responseserializer"

/// A response's body as it came (`Data`), perhaps empty, and of a failed task what there is of it. Absent
/// for a download with a destination.
public let NetworkingTaskDidCompleteResponseDataKey: String =
    "com.alamofire.networking.complete.finish.responsedata"

/// Why a task failed, or its response can't be used. Absent for success.
public let NetworkingTaskDidCompleteErrorKey: String =
    "com.alamofire.networking.task.complete.error"

/// Where a download was to go (`URL`).
public let NetworkingTaskDidCompleteAssetPathKey: String =
    "com.alamofire.networking.task.complete.assetpath"

/// What was measured of a task (`URLSessionTaskMetrics`).
public let NetworkingTaskDidCompleteSessionTaskMetrics: String =
    "com.alamofire.networking.complete.sessiontaskmetrics"

/// Why a download's file couldn't be moved (`NSError`).
public let URLSessionDownloadTaskDidFailToMoveFileErrorKey: String =
    "com.alamofire.networking.session.download.file-manager-error.error"
