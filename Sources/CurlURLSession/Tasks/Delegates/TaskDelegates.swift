/// The delegates that get a task's events.
///
/// For each role it is the task's own delegate, or else the session's. It is a class, so that each
/// delivery retains one reference and not all of them.
final class TaskDelegates: Sendable {
    /// Answers connection-level challenges. A session delegate that isn't a task delegate can do
    /// this, too.
    let connection: (any URLSessionDelegate)?
    let task: (any URLSessionTaskDelegate)?
    let data: (any URLSessionDataDelegate)?
    let download: (any URLSessionDownloadDelegate)?
    /// Whether ``data`` is the task's own delegate.
    let isDataOwn: Bool
    /// Whether ``download`` is the task's own delegate.
    let isDownloadOwn: Bool
    /// The data delegate, if the task collects the body for it.
    let collector: (any URLSessionBodyCollector)?

    /// No delegates.
    static let none = TaskDelegates(own: nil, session: nil)

    /// - Parameters:
    ///   - own: The task's delegate.
    ///   - session: The session's delegate in its roles.
    init(own: (any URLSessionTaskDelegate)?, session: SessionDelegates?) {
        connection = own ?? session?.base
        task = own ?? session?.task
        let ownData = own.flatMap { $0 as? any URLSessionDataDelegate }
        data = ownData ?? session?.data
        isDataOwn = ownData != nil
        let ownDownload = own.flatMap { $0 as? any URLSessionDownloadDelegate }
        download = ownDownload ?? session?.download
        isDownloadOwn = ownDownload != nil
        let collector = own.flatMap { $0 as? any URLSessionBodyCollector }
        self.collector = collector?.collectsBody ?? false ? collector : nil
    }
}
