internal import CurlURLSession
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The state of a manager, of either class.
///
/// The delegates of the session and of the tasks retain this object, not the manager; only tasks in
/// flight retain the manager as well. The manager is released with its user's last reference and
/// its last task in flight. It then invalidates the session, which releases everything else.
///
/// No code of the user's is called with the lock held.
final class ManagerCore: Sendable {
    let operationQueue: OperationQueue
    /// The default queue of completions and notifications.
    let mainQueue: MainQueue
    /// The tasks whose completions haven't run yet.
    let ledger = Mutex(TaskLedger())
    private let state: Mutex<ManagerState>
    /// Whether there are monitors. Most managers have none, and then events take no lock.
    private let hasMonitors = Atomic(false)

    /// The default group of completions.
    private static let group = DispatchGroup()

    init(configuration: URLSessionConfiguration?, mainQueue: MainQueue = .shared) {
        let copy = configuration?.copy() as? URLSessionConfiguration
        state = Mutex(ManagerState(configuration: copy ?? configuration ?? .default))
        operationQueue = DelegateQueue()
        self.mainQueue = mainQueue
    }

    /// Reads a property of the state.
    func read<Value>(_ property: (ManagerState) -> Value) -> Value where Value: Sendable {
        state.withLock { property($0) }
    }

    /// Sets a property of the state.
    ///
    /// The old value is released outside of the lock.
    func change<Value: Sendable>(
        _ property: any WritableKeyPath<ManagerState, Value> & Sendable,
        to value: Value
    ) {
        let former = state.withLock { state in
            let former = state[keyPath: property]
            state[keyPath: property] = value
            return former
        }
        extendLifetime(former)
    }

    /// A handler of the user's; `nil` if it isn't set.
    func handler<Handler>(_ choose: (ManagerHandlers) -> Handler?) -> Handler?
    where Handler: Sendable {
        state.withLock { choose($0.handlers) }
    }

    // MARK: Monitors

    /// The monitors of all events; `nil` if there are none.
    var monitors: EventMonitors? {
        guard hasMonitors.load(ordering: .acquiring) else { return nil }
        return EventMonitors(all: read(\.monitors))
    }

    func setMonitors(_ monitors: [any EventMonitor]) {
        let former = state.withLock { state in
            defer {
                state.monitors = monitors
                // Stored under the lock, so that the flag and the monitors are those of the same
                // call.
                hasMonitors.store(!monitors.isEmpty, ordering: .releasing)
            }
            return state.monitors
        }
        extendLifetime(former)
    }

    // MARK: The session

    /// The session; created if there is none.
    var session: URLSession {
        state.withLock { state in
            if let session = state.session { return session }
            let session = URLSession(
                configuration: state.configuration,
                delegate: ManagerSessionDelegate(core: self),
                delegateQueue: operationQueue
            )
            state.session = session
            return session
        }
    }

    func invalidateSession(cancelingTasks: Bool, reset: Bool) {
        let session = session
        if cancelingTasks {
            session.invalidateAndCancel()
        } else {
            session.finishTasksAndInvalidate()
        }
        guard reset else { return }
        state.withLock { state in
            if state.session === session { state.session = nil }
        }
    }

    /// Sets the security policy, and resets the connection pool: the policy applies at once, and
    /// not only after existing connections have closed.
    func setSecurityPolicy(_ policy: SecurityPolicy) {
        change(\.securityPolicy, to: policy)
        read(\.session)?.resetConnectionPool()
    }

    /// Invalidates the session because the manager is released. Existing tasks still complete.
    func release() {
        read(\.session)?.finishTasksAndInvalidate()
    }

    // MARK: Completion

    /// Calls a task's completion handler, and posts the notification.
    ///
    /// - Parameter kept: Retained until the handler has returned.
    func complete(
        _ task: URLSessionTask,
        _ outcome: TaskOutcome,
        _ consumer: OutcomeConsumer,
        keeping kept: TaskDelegateState.Kept
    ) {
        guard !consumer.isSwiftTask else { return deliver(task, outcome, consumer, kept) }
        let delivery: @Sendable () -> Void = { [self] in deliver(task, outcome, consumer, kept) }
        let (queue, ownGroup) = read { ($0.completionQueue, $0.completionGroup) }
        let group = ownGroup ?? Self.group
        if let queue {
            queue.async(group: group, execute: delivery)
        } else {
            mainQueue.async(group: group, isAwaited: consumer.hasHandler, delivery)
        }
    }

    private func deliver(
        _ task: URLSessionTask,
        _ outcome: TaskOutcome,
        _ consumer: OutcomeConsumer,
        _ kept: TaskDelegateState.Kept
    ) {
        consumer.take(outcome)
        // Without an event, which only monitors need.
        mainQueue.postCompletion(of: task, outcome)
        notify(.didComplete(task, outcome: outcome))
        leave(kept.age)
        extendLifetime(kept)
    }
}

// Reports events to monitors, and posts AFNetworking's notifications.

extension ManagerCore {
    /// Reports an event to the monitors. Without monitors, the event isn't created.
    func notify(_ event: @autoclosure () -> SessionEvent) {
        monitors?.notify(event())
    }

    /// Posts the notification of an event, and reports it to the monitors.
    func post(_ event: SessionEvent) {
        mainQueue.postNotification(of: event)
        notify(event)
    }

    /// Reports a new task to monitors, and returns it.
    func created<Made: URLSessionTask>(_ task: Made) -> Made {
        PendingTask.current?.note(task, of: self)
        notify(.didCreate(task))
        return task
    }

    // MARK: Events with handlers

    /// Reports an event to the monitors, and calls the manager's handler for it.
    func report(_ event: SessionEvent) {
        notify(event)
        switch event {
        case .didSendBodyData(let session, let task, let count, let total, let expected):
            guard let handler = handler({ $0.taskDidSendBodyData }) else { return }
            handler(session, task, count, total, task.announcedLength(ifUnknown: expected))
        case .didFinishCollectingMetrics(let session, let task, let metrics):
            handler { $0.taskDidCollectMetrics }?(session, task, metrics)
        case .didCompleteTransfer(let session, let task, let error):
            handler { $0.taskDidComplete }?(session, task, error)
        case .didBecomeDownload(let session, let task, let download):
            handler { $0.dataTaskDidBecomeDownload }?(session, task, download)
        case .didWriteData(let session, let task, let count, let total, let expected):
            handler { $0.downloadDidWriteData }?(session, task, count, total, expected)
        case .didResumeDownload(let session, let task, let offset, let expected):
            handler { $0.downloadDidResume }?(session, task, offset, expected)
        default:
            // Handlers for other events have answers, or don't exist.
            break
        }
    }

    /// Reports a piece of a body to the monitors that want it, and to the manager's handler.
    ///
    /// - Parameter piece: Copies the piece; called only if it is wanted.
    func reportData(
        _ session: URLSession,
        _ task: URLSessionDataTask,
        _ piece: () -> Data
    ) {
        let isMonitored = monitors?.wantsData ?? false
        let handler = handler { $0.dataTaskDidReceiveData }
        guard isMonitored || handler != nil else { return }
        let data = piece()
        if isMonitored { notify(.didReceiveData(session, task, data: data)) }
        handler?(session, task, data)
    }
}

extension URLSessionTask {
    /// The length of the request's body, or its header field's if it is unknown (-1).
    fileprivate func announcedLength(ifUnknown length: Int64) -> Int64 {
        guard length == -1 else { return length }
        let announced = originalRequest?.value(forHTTPHeaderField: "Content-Length")
        return announced.flatMap { Int64($0) } ?? -1
    }
}

// MARK: - Ends of the manager's tasks, and of those that the user has created with its session

extension ManagerCore {
    /// Moves a download's file, and reports the result.
    ///
    /// - Parameter refusal: Why the response isn't acceptable; with it, no existing file is
    ///   replaced.
    /// - Returns: The error; `nil` if the file was moved.
    func move(
        _ location: URL,
        to file: URL,
        _ options: DownloadOptions,
        refusal: (any Error)? = nil,
        of task: URLSessionDownloadTask
    ) -> (any Error)? {
        do {
            let manager = FileManager.default
            let replaces = options.contains(.removePreviousFile)
            if replaces, let refusal, manager.fileExists(atPath: file.path) { throw refusal }
            if options.contains(.createIntermediateDirectories) {
                try manager.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
            }
            if replaces, refusal == nil {
                try manager.replaceItem(at: file, withFileAt: location)
            } else {
                try manager.moveItem(at: location, to: file)
            }
        } catch {
            post(.didFailToMoveFile(task, file: file, error: error))
            return error
        }
        post(.didMoveFile(task, file: file))
        return nil
    }

    /// Serializes a completed task's response, and delivers the outcome. A task with an error isn't
    /// serialized.
    func finish(
        _ task: URLSessionTask,
        _ remains: TaskDelegateState.Remains,
        error: (any Error)?,
        _ consumer: OutcomeConsumer
    ) {
        var parts = TaskOutcome.Parts(
            response: task.response,
            data: remains.file == nil ? task.takeCollectedBody() : nil,
            file: remains.file,
            metrics: remains.metrics,
            error: remains.challengeError ?? error,
            serializer: remains.serializer ?? read(\.responseSerializer),
            request: task.currentRequest ?? task.originalRequest
        )
        if let end = remains.interception?.finish(), parts.take(end, fileError: remains.fileError) {
            return complete(task, TaskOutcome(parts), consumer, keeping: remains.kept)
        }
        guard parts.error == nil else {
            return complete(task, TaskOutcome(parts), consumer, keeping: remains.kept)
        }
        ProcessingQueue.shared.async { [self, parts] in
            var parts = parts
            // The manager's serializer may have been replaced meanwhile; the current one applies.
            parts.serializer = remains.serializer ?? read(\.responseSerializer)
            parts.serialize()
            notify(.didSerialize(task, object: parts.object, error: parts.error))
            if parts.error == nil { parts.error = remains.fileError }
            complete(task, TaskOutcome(parts), consumer, keeping: remains.kept)
        }
    }
}

extension ManagerCore {
    /// Serializes the response of an attempt.
    func serialized(
        _ task: URLSessionTask,
        data: Data,
        serializer: (any URLResponseSerialization)?
    ) -> TaskOutcome {
        var parts = TaskOutcome.Parts(
            response: task.response,
            data: data,
            file: nil,
            metrics: nil,
            error: nil,
            serializer: serializer ?? read(\.responseSerializer),
            request: task.currentRequest ?? task.originalRequest
        )
        parts.serialize()
        notify(.didSerialize(task, object: parts.object, error: parts.error))
        return TaskOutcome(parts)
    }
}

extension InputStream {
    /// A copy of the stream, which starts at the first byte; `nil` if it can't be copied.
    var anotherOne: InputStream? {
        (self as? any NSCopying)?.copy(with: nil) as? InputStream
    }
}
