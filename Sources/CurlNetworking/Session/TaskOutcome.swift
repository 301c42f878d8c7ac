public import CurlURLSession
public import Foundation

/// What a task of a manager has come to.
public struct TaskOutcome: Sendable {
    /// The last attempt's; `nil` if there was none.
    public let response: URLResponse?
    /// The body as it came; `nil` of a download that has a destination.
    public let data: Data?
    /// Where a download was to go.
    public let file: URL?
    /// What was measured; `nil` for a task that has never begun.
    public let metrics: URLSessionTaskMetrics?
    /// The transport's, or why the file couldn't be moved, or the serializer's.
    public internal(set) var error: (any Error)?
    /// Who was asked, or would have been.
    public internal(set) var serializer: any URLResponseSerialization
    /// What was asked last: adapted, and where redirects have led.
    public internal(set) var request: URLRequest?
    /// What the serializer made of it, or the file.
    public internal(set) var object: (any Sendable)?
    /// How long the serializer took; zero where it wasn't asked.
    public internal(set) var serializationDuration = Duration.zero

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
