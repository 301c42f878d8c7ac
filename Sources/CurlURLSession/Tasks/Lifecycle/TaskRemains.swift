/// The resources of a completed task, which are released without its lock.
///
/// It is a class, because a copy would retain each of them.
final class TaskRemains: Sendable {
    let session: URLSession?
    let task: URLSessionTask?
    let consumer: TaskConsumer
    let delegates: TaskDelegates
    let ownDelegate: OwnDelegate
    let load: TaskLoad?
    /// The former data task, if the delegate didn't get the conversion.
    let former: URLSessionDataTask?
    /// `nil` if another download may resume the file.
    let file: DownloadFile?
    let alarm: LoadTimer?
    let hasFailed: Bool

    init(
        session: URLSession?,
        task: URLSessionTask?,
        consumer: TaskConsumer,
        delegates: TaskDelegates,
        ownDelegate: OwnDelegate,
        load: TaskLoad?,
        former: URLSessionDataTask?,
        file: DownloadFile?,
        alarm: LoadTimer?,
        hasFailed: Bool
    ) {
        self.session = session
        self.task = task
        self.consumer = consumer
        self.delegates = delegates
        self.ownDelegate = ownDelegate
        self.load = load
        self.former = former
        self.file = file
        self.alarm = alarm
        self.hasFailed = hasFailed
    }
}
