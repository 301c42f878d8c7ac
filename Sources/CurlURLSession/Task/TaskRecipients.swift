internal import Foundation

/// Whom a task's events are told to: its own delegate in each role that it plays, else the session's.
struct TaskRecipients: Sendable {
    /// Who is asked about a connection, which a delegate may be that isn't one of tasks.
    var connection: (any URLSessionDelegate)?
    var task: (any URLSessionTaskDelegate)?
    var data: (any URLSessionDataDelegate)?
    var download: (any URLSessionDownloadDelegate)?

    /// Nobody.
    init() {}

    /// - Parameters:
    ///   - own: The task's delegate.
    ///   - session: The session's.
    init(own: (any URLSessionTaskDelegate)?, session: SessionDelegates?) {
        connection = own ?? session?.base
        task = own ?? session?.task
        data = own.flatMap { $0 as? any URLSessionDataDelegate } ?? session?.data
        download = own.flatMap { $0 as? any URLSessionDownloadDelegate } ?? session?.download
    }
}
