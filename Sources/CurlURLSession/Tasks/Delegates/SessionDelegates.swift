internal import Foundation

/// A session's delegate, cast once to each protocol that it conforms to.
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
        // The other protocols refine the first one.
        data = task.flatMap { $0 as? any URLSessionDataDelegate }
        download = task.flatMap { $0 as? any URLSessionDownloadDelegate }
        webSocket = task.flatMap { $0 as? any URLSessionWebSocketDelegate }
        stream = task.flatMap { $0 as? any URLSessionStreamDelegate }
    }
}

extension URLSession {
    /// The session's delegate, called after a task's own; `nil` if it is the same.
    func taskDelegate(after delegate: any URLSessionDelegate) -> (any URLSessionTaskDelegate)? {
        core.delegates?.task.flatMap { $0 === delegate ? nil : $0 }
    }

    /// The session's delegate, called after a task's own; `nil` if it is the same.
    func dataDelegate(after delegate: any URLSessionDelegate) -> (any URLSessionDataDelegate)? {
        core.delegates?.data.flatMap { $0 === delegate ? nil : $0 }
    }

    /// The session's delegate, called after a task's own; `nil` if it is the same.
    func downloadDelegate(
        after delegate: any URLSessionDelegate
    ) -> (any URLSessionDownloadDelegate)? {
        core.delegates?.download.flatMap { $0 === delegate ? nil : $0 }
    }

    /// The session's delegate, called after a task's own; `nil` if it is the same.
    func webSocketDelegate(
        after delegate: any URLSessionDelegate
    ) -> (any URLSessionWebSocketDelegate)? {
        core.delegates?.webSocket.flatMap { $0 === delegate ? nil : $0 }
    }

    /// The session's delegate, called after a task's own; `nil` if it is the same.
    func streamDelegate(after delegate: any URLSessionDelegate) -> (any URLSessionStreamDelegate)? {
        core.delegates?.stream.flatMap { $0 === delegate ? nil : $0 }
    }
}

/// The delegates that get a task's events.
///
/// For each role it is the task's own delegate, or else the session's.
struct TaskDelegates: Sendable {
    /// Answers connection-level challenges. A session delegate that isn't a task delegate can do
    /// this, too.
    var connection: (any URLSessionDelegate)?
    var task: (any URLSessionTaskDelegate)?
    var data: (any URLSessionDataDelegate)?
    var download: (any URLSessionDownloadDelegate)?
    /// The data delegate, if the task collects the body for it.
    var collector: (any URLSessionBodyCollector)?

    /// Creates a value without delegates.
    init() {}

    /// - Parameters:
    ///   - own: The task's delegate.
    ///   - session: The session's delegate in its roles.
    init(own: (any URLSessionTaskDelegate)?, session: SessionDelegates?) {
        connection = own ?? session?.base
        task = own ?? session?.task
        data = own.flatMap { $0 as? any URLSessionDataDelegate } ?? session?.data
        download = own.flatMap { $0 as? any URLSessionDownloadDelegate } ?? session?.download
        collector = own.flatMap { $0 as? any URLSessionBodyCollector }
        if let collector, !collector.collectsBody { self.collector = nil }
    }
}
