internal import CurlURLSession
internal import Foundation

/// What a task has come to.
struct TaskOutcome: Sendable {
    let response: URLResponse?
    /// The body as it came; `nil` of a download that has a destination.
    let data: Data?
    /// Where a download was to go.
    let file: URL?
    let metrics: URLSessionTaskMetrics?
    /// The transport's, or why the file couldn't be moved, or the serializer's.
    var error: (any Error)?
    var serializer: any URLResponseSerialization
    /// What the serializer made of it, or the file.
    var object: (any Sendable)?

    /// What is told to whoever observes the notification of a task's end.
    var userInfo: [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [
            NetworkingTaskDidCompleteResponseSerializerKey: serializer
        ]
        if let object { info[NetworkingTaskDidCompleteSerializedResponseKey] = object }
        if let error { info[NetworkingTaskDidCompleteErrorKey] = error }
        if let metrics { info[NetworkingTaskDidCompleteSessionTaskMetrics] = metrics }
        if let file {
            info[NetworkingTaskDidCompleteAssetPathKey] = file
        } else if let data {
            info[NetworkingTaskDidCompleteResponseDataKey] = data
        }
        return info
    }
}
