internal import CurlNetworking
internal import Foundation
internal import TestSupport

/// Records the notifications about one object.
final class NotificationRecorder: Sendable {
    /// A notification, with the parts of its user info that tests examine.
    struct Posted: Sendable {
        let name: Notification.Name
        let isOnMainQueue: Bool
        let queue: OperationQueue?
        /// Data or a file URL.
        let object: (any Sendable)?
        let serializer: (any Sendable)?
        let data: Data?
        let error: (any Error)?
        /// The error as observers of AFNetworking's notifications cast it.
        let nsError: NSError?
        let file: URL?
        let metrics: URLSessionTaskMetrics?
        let moveError: NSError?
        let keys: Set<String>
    }

    private let recorder = EventRecorder<Posted>()
    private let tokens: [NotificationToken]

    static let taskNames: [Notification.Name] = [
        .networkingTaskDidResume, .networkingTaskDidSuspend, .networkingTaskDidComplete,
        .urlSessionDownloadTaskDidMoveFileSuccessfully, .urlSessionDownloadTaskDidFailToMoveFile,
    ]

    /// - Parameter act: Called before a notification is recorded.
    init(
        of object: AnyObject,
        names: [Notification.Name] = taskNames,
        act: @escaping @Sendable (Notification.Name) -> Void = { _ in }
    ) {
        let recorder = recorder
        tokens = names.map { name in
            NotificationToken(name, object: object) { notification in
                act(notification.name)
                recorder.record(Posted(notification))
            }
        }
    }

    var names: [Notification.Name] { recorder.events.map(\.name) }

    func first(_ name: Notification.Name) async throws -> Posted {
        try await recorder.first { $0.name == name }
    }

    func wait(count: Int) async throws -> [Posted] {
        try await recorder.wait(count: count)
    }
}

extension NotificationRecorder.Posted {
    fileprivate init(_ notification: Notification) {
        let info = notification.userInfo ?? [:]
        name = notification.name
        isOnMainQueue = MainQueueMark.isOnMainQueue
        queue = OperationQueue.current
        let made = info[NetworkingTaskDidCompleteSerializedResponseKey]
        object = made as? Data ?? made as? URL
        serializer =
            info[NetworkingTaskDidCompleteResponseSerializerKey] as? any URLResponseSerialization
        data = info[NetworkingTaskDidCompleteResponseDataKey] as? Data
        error = info[NetworkingTaskDidCompleteErrorKey] as? any Error
        nsError = info[NetworkingTaskDidCompleteErrorKey] as? NSError
        file = info[NetworkingTaskDidCompleteAssetPathKey] as? URL
        metrics = info[NetworkingTaskDidCompleteSessionTaskMetrics] as? URLSessionTaskMetrics
        moveError = info[URLSessionDownloadTaskDidFailToMoveFileErrorKey] as? NSError
        keys = Set(info.keys.compactMap { $0 as? String })
    }
}
