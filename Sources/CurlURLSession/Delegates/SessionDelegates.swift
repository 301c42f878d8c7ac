internal import Foundation

/// A session's delegate in each of the roles that it plays, found out once.
struct SessionDelegates: Sendable {
    let base: any URLSessionDelegate
    let task: (any URLSessionTaskDelegate)?
    let data: (any URLSessionDataDelegate)?
    let download: (any URLSessionDownloadDelegate)?
    let webSocket: (any URLSessionWebSocketDelegate)?
    let stream: (any URLSessionStreamDelegate)?

    init(_ delegate: any URLSessionDelegate) {
        base = delegate
        task = delegate as? any URLSessionTaskDelegate
        // Whoever isn't the first is none of the others.
        data = task.flatMap { $0 as? any URLSessionDataDelegate }
        download = task.flatMap { $0 as? any URLSessionDownloadDelegate }
        webSocket = task.flatMap { $0 as? any URLSessionWebSocketDelegate }
        stream = task.flatMap { $0 as? any URLSessionStreamDelegate }
    }
}

extension URLSession {
    /// The session's delegate, to be asked after a task's own; `nil` where that is the same one.
    func taskDelegate(after delegate: any URLSessionDelegate) -> (any URLSessionTaskDelegate)? {
        core.delegates?.task.flatMap { $0 === delegate ? nil : $0 }
    }

    /// The session's delegate, to be told after a task's own; `nil` where that is the same one.
    func dataDelegate(after delegate: any URLSessionDelegate) -> (any URLSessionDataDelegate)? {
        core.delegates?.data.flatMap { $0 === delegate ? nil : $0 }
    }

    /// The session's delegate, to be told after a task's own; `nil` where that is the same one.
    func downloadDelegate(
        after delegate: any URLSessionDelegate
    ) -> (any URLSessionDownloadDelegate)? {
        core.delegates?.download.flatMap { $0 === delegate ? nil : $0 }
    }

    /// The session's delegate, to be told after a task's own; `nil` where that is the same one.
    func webSocketDelegate(
        after delegate: any URLSessionDelegate
    ) -> (any URLSessionWebSocketDelegate)? {
        core.delegates?.webSocket.flatMap { $0 === delegate ? nil : $0 }
    }

    /// The session's delegate, to be told after a task's own; `nil` where that is the same one.
    func streamDelegate(after delegate: any URLSessionDelegate) -> (any URLSessionStreamDelegate)? {
        core.delegates?.stream.flatMap { $0 === delegate ? nil : $0 }
    }
}
