internal import CurlURLSession
internal import DequeModule
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The state of a task's delegate.
struct TaskDelegateState: Sendable {
    private(set) weak var manager: URLSessionManager?
    /// The manager, which is retained while the task is in flight.
    private var keptManager: URLSessionManager?
    /// Only for a task with an interceptor.
    var interception: TaskInterception?
    /// The data task that has become this download task. The completion reports it, so it is
    /// retained until then.
    var former: URLSessionDataTask?
    private(set) var isOver = false
    /// The task's age in the ledger of tasks; `nil` until it is counted there.
    var age: Int?

    var uploadProgress: TransferProgress
    var downloadProgress: TransferProgress
    /// The destination of a download's file.
    var file: URL?
    /// Why the file couldn't be moved there.
    var fileError: (any Error)?
    var metrics: URLSessionTaskMetrics?
    /// Why a challenge was refused. It takes precedence over the cancellation that follows from it.
    var challengeError: (any Error)?
    /// The task's own serializer; `nil` for the manager's.
    var serializer: (any URLResponseSerialization)?
    /// Whether the request's own stream was read.
    private var hasReadStream = false

    init(manager: URLSessionManager, taskOptions: TaskOptions) {
        self.manager = manager
        uploadProgress = TransferProgress(handler: taskOptions.uploadProgress)
        downloadProgress = TransferProgress(handler: taskOptions.downloadProgress)
        interception = taskOptions.interceptor.map { TaskInterception($0) }
    }

    /// Adds a sequence of progress in one direction. Returns false if the task has completed.
    mutating func add(
        _ update: AsyncStream<ByteProgress>.Continuation,
        to direction: WritableKeyPath<TaskDelegateState, TransferProgress>
    ) -> Bool {
        guard !isOver else { return false }
        self[keyPath: direction].add(update)
        return true
    }

    /// Notes that the task was resumed: from now on it retains the manager.
    mutating func noteResumption() {
        if !isOver { keptManager = manager }
    }

    /// Whether the request's own stream can be sent: only the first time.
    mutating func takeStream() -> Bool {
        defer { hasReadStream = true }
        return !hasReadStream
    }

    /// Discards the results of an attempt, before another attempt.
    mutating func prepareNextAttempt() {
        guard !isOver else { return }
        (file, fileError, challengeError) = (nil, nil, nil)
    }

    /// The objects to retain until the completion has run.
    struct Kept: Sendable {
        let manager: URLSessionManager?
        let former: URLSessionDataTask?
        let age: Int?
    }

    /// The results of a completed task.
    struct Remains: Sendable {
        let kept: Kept
        let file: URL?
        let fileError: (any Error)?
        let metrics: URLSessionTaskMetrics?
        let challengeError: (any Error)?
        let serializer: (any URLResponseSerialization)?
        let interception: TaskInterception?
        /// Progress sequences to finish.
        let updates: [AsyncStream<ByteProgress>.Continuation]
    }

    /// Ends the task.
    mutating func end() -> Remains {
        isOver = true
        defer { (keptManager, former, interception) = (nil, nil, nil) }
        return Remains(
            kept: Kept(manager: keptManager, former: former, age: age),
            file: file,
            fileError: fileError,
            metrics: metrics,
            challengeError: challengeError,
            serializer: serializer,
            interception: interception,
            updates: uploadProgress.end() + downloadProgress.end()
        )
    }
}

/// The options of one task.
struct TaskOptions: Sendable {
    var consumer = OutcomeConsumer.noHandler
    var uploadProgress: URLSessionManager.ProgressHandler?
    var downloadProgress: URLSessionManager.ProgressHandler?
    var destination: URLSessionManager.Destination?
    var downloadOptions: DownloadOptions = []
    /// The manager's interceptor, joined with the task's own.
    var interceptor: (any RequestInterceptor)?
    /// Decides what happens to this task's response.
    var onResponse: URLSessionManager.ResponseHandler?
    /// Receives the body, which isn't collected then.
    var onData: URLSessionManager.DataHandler?
    /// Whether a Swift task reads the body, which isn't collected then either.
    var isRead = false

    /// Whether the user has received parts of the body by the end of an attempt.
    var handsOutBody: Bool { isRead || onData != nil }

    /// Whether cancelling the Swift task keeps a download's resume data.
    var keepsResumeData: Bool { downloadOptions.contains(.keepResumeDataWhenCancelled) }
}

/// Reports the progress of one direction of a task to its observers.
///
/// The observers are a `Progress`, which is created when it is first requested, a handler, and
/// sequences.
struct TransferProgress: Sendable {
    /// The observers of one progress update.
    struct Audience: Sendable {
        fileprivate let progress: Progress?
        fileprivate let handler: URLSessionManager.ProgressHandler?
        fileprivate let updates: [AsyncStream<ByteProgress>.Continuation]

        /// Reports an amount. Called on the operation queue, without holding a lock.
        func report(_ amount: ByteProgress) {
            if let progress {
                TransferProgress.note(amount, in: progress)
                handler?(progress)
            }
            for update in updates { update.yield(amount) }
        }
    }

    /// Called for each piece that is transferred.
    private let handler: URLSessionManager.ProgressHandler?
    private var progress: Progress?
    private var updates: [AsyncStream<ByteProgress>.Continuation] = []

    /// Protects changes of all `Progress` objects.
    ///
    /// A `Progress` has no lock of its own, and changes its parent, which tasks may share.
    private static let changes = Mutex<Void>(())

    init(handler: URLSessionManager.ProgressHandler?) {
        self.handler = handler
    }

    /// The task's `Progress`, always the same object.
    ///
    /// - Parameters:
    ///   - task: Cancelled, suspended and resumed together with the progress.
    ///   - amount: The amount transferred so far.
    mutating func progress(of task: URLSessionTask, _ amount: ByteProgress) -> Progress {
        if let progress { return progress }
        let progress = Progress.discreteProgress(totalUnitCount: amount.total)
        progress.completedUnitCount = amount.completed
        progress.isCancellable = true
        progress.isPausable = true
        progress.cancellationHandler = { [weak task] in task?.cancel() }
        progress.pausingHandler = { [weak task] in task?.suspend() }
        progress.resumingHandler = { [weak task] in task?.resume() }
        self.progress = progress
        return progress
    }

    /// Adds a sequence that receives updates until ``end()``.
    mutating func add(_ update: AsyncStream<ByteProgress>.Continuation) {
        updates.append(update)
    }

    /// The observers of the next update; `nil` if there are none.
    mutating func audience(of task: URLSessionTask) -> Audience? {
        guard progress != nil || handler != nil || !updates.isEmpty else { return nil }
        let progress = handler == nil ? progress : progress(of: task, .none)
        return Audience(progress: progress, handler: handler, updates: updates)
    }

    /// The observers to reset when a task restarts.
    ///
    /// `nil` if there is no `Progress`.
    var begun: Audience? {
        progress == nil ? nil : Audience(progress: progress, handler: nil, updates: updates)
    }

    /// Removes and returns the sequences, which the caller has to finish.
    mutating func end() -> [AsyncStream<ByteProgress>.Continuation] {
        defer { updates = [] }
        return updates
    }

    private static func note(_ amount: ByteProgress, in progress: Progress) {
        changes.withLock { _ in
            if progress.totalUnitCount != amount.total { progress.totalUnitCount = amount.total }
            if progress.completedUnitCount != amount.completed {
                progress.completedUnitCount = amount.completed
            }
        }
    }
}

/// The consumer of a task's outcome.
enum OutcomeConsumer: Sendable {
    case noHandler
    case handler(URLSessionManager.CompletionHandler)
    case downloadHandler(URLSessionManager.DownloadCompletionHandler)
    /// A Swift task that waits; it is resumed without a queue.
    case swiftTask(@Sendable (TaskOutcome) -> Void)

    var isSwiftTask: Bool {
        if case .swiftTask = self { true } else { false }
    }

    var hasHandler: Bool {
        if case .noHandler = self { false } else { true }
    }

    func take(_ outcome: TaskOutcome) {
        switch self {
        case .noHandler:
            break
        case .handler(let handler):
            handler(outcome.response, outcome.object, outcome.error)
        case .downloadHandler(let handler):
            handler(outcome.response, outcome.object as? URL, outcome.error)
        case .swiftTask(let resume):
            resume(outcome)
        }
    }
}

/// Serializes responses concurrently, at most as many at once as there are processors.
///
/// Queued work starts in order, and occupies no thread while it waits.
final class ProcessingQueue: Sendable {
    /// The instance for all managers of the process.
    static let shared = ProcessingQueue(width: ProcessInfo.processInfo.activeProcessorCount)

    private struct Work: Sendable {
        let body: @Sendable () -> Void
    }

    private struct State: Sendable {
        var waiting = Deque<Work>()
        var running = 0
    }

    private let width: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(
        label: "curl-networking-processing",
        attributes: .concurrent
    )

    /// - Parameter width: The maximum number of concurrent closures.
    init(width: Int) {
        self.width = max(1, width)
    }

    /// Runs a closure on any thread, after all closures before it have started.
    func async(_ body: @escaping @Sendable () -> Void) {
        let hasRoom = state.withLock { state in
            state.waiting.append(Work(body: body))
            guard state.running < width else { return false }
            state.running += 1
            return true
        }
        if hasRoom { queue.async { [self] in work() } }
    }

    /// Runs queued closures one after the other, until none is left.
    private func work() {
        while let work = next() { work.body() }
    }

    private func next() -> Work? {
        state.withLock { state in
            let work = state.waiting.popFirst()
            if work == nil {
                assert(state.running > 0, "a worker ended that wasn't counted")
                state.running -= 1
            }
            return work
        }
    }
}
