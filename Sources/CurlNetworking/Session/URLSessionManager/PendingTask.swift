internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// A task that an asynchronous method creates with the methods that subclasses may override.
///
/// An override may change the request, and may wrap the completion handler, which ends the wait. A
/// task-local value passes the options for which those methods have no parameters. It is also set
/// while the override's handler runs: a task that this creates takes the options, too, if it
/// requests the same URL with the same method.
final class PendingTask: Sendable {
    /// Set while an asynchronous method creates its task, and while an override's handler runs.
    @TaskLocal static var current: PendingTask?

    /// What a retry has in common with the first task.
    private struct Target: Sendable, Equatable {
        let url: URL?
        let method: String?
    }

    private struct State: Sendable {
        /// Whether the first task may take the options.
        var isOpen = true
        /// The request of the first task; `nil` for resume data.
        var target: Target?
        /// Whether a task has taken the options and hasn't completed.
        var isRunning = false
        /// Whether that task isn't in `task` yet.
        var isCreating = false
        weak var task: URLSessionTask?
        /// The last task's outcome, before an override has changed it.
        var outcome: TaskOutcome?
        /// Whether the Swift task was cancelled.
        var isCancelled = false
        /// Whether the completion handler was called.
        var hasEnded = false

        /// Whether a new task takes the options. If it does, it is running from now on.
        ///
        /// - Parameter hasHandler: Whether the task has a completion handler. Without one, only the
        ///   first task takes them.
        mutating func accepts(_ target: Target?, hasHandler: Bool) -> Bool {
            if isOpen {
                self.target = target
            } else {
                guard hasHandler, outcome != nil, !isRunning, !hasEnded, target == self.target
                else { return false }
            }
            (isOpen, isRunning, isCreating) = (false, true, true)
            task = nil
            return true
        }

        mutating func end(with outcome: TaskOutcome) {
            (isRunning, isCreating) = (false, false)
            task = nil
            self.outcome = outcome
        }
    }

    private let core: ManagerCore
    private let taskOptions: TaskOptions
    private let serializer: (any URLResponseSerialization)?
    private let waiter: OutcomeWaiter
    private let state = Mutex(State())

    init(
        _ core: ManagerCore,
        _ taskOptions: TaskOptions,
        _ serializer: (any URLResponseSerialization)?,
        _ waiter: OutcomeWaiter
    ) {
        self.core = core
        self.taskOptions = taskOptions
        self.serializer = serializer
        self.waiter = waiter
    }

    // MARK: Creating the task

    /// Adds the options of the asynchronous method to those of the first task and of retries.
    ///
    /// The task then calls its completion handler without a queue.
    ///
    /// - Parameters:
    ///   - request: The task's request; `nil` for resume data.
    ///   - core: That of the task's manager.
    /// - Returns: The task's own serializer; `nil` for the manager's.
    func complete(
        _ taskOptions: inout TaskOptions,
        for request: URLRequest?,
        of core: ManagerCore
    ) -> (any URLResponseSerialization)? {
        let consumer = taskOptions.consumer
        let target = request.map { Target(url: $0.url?.absoluteURL, method: $0.httpMethod) }
        guard core === self.core,
            state.withLock({ $0.accepts(target, hasHandler: consumer.hasHandler) })
        else { return nil }
        taskOptions.interceptor = self.taskOptions.interceptor
        // The method for streams has no parameter for it.
        taskOptions.downloadProgress =
            taskOptions.downloadProgress ?? self.taskOptions.downloadProgress
        taskOptions.consumer = .swiftTask { [self] outcome in
            note(outcome)
            if consumer.hasHandler {
                PendingTask.$current.withValue(self) { consumer.take(outcome) }
            } else {
                waiter.take(outcome)
            }
            endIfCancelled()
        }
        return serializer
    }

    /// Notes the task that has taken the options, to cancel it.
    func note(_ task: URLSessionTask, of core: ManagerCore) {
        guard core === self.core else { return }
        let isCancelled = state.withLock { state in
            guard state.isCreating else { return false }
            state.isCreating = false
            state.task = task
            return state.isCancelled
        }
        if isCancelled { cancelOnly(task) }
    }

    /// Ends the creation: no first task takes the options.
    func close() {
        state.withLock { $0.isOpen = false }
    }

    // MARK: Cancellation

    /// Cancels the tasks in flight, and ends the wait if no task has the options.
    ///
    /// No task has them while an override holds back the call of the completion handler.
    ///
    /// - Parameter returned: The task that the override has returned.
    func cancel(_ returned: URLSessionTask) {
        let running = state.withLock { state -> URLSessionTask? in
            state.isCancelled = true
            return state.isRunning ? state.task : nil
        }
        cancelOnly(returned)
        if let running {
            if running !== returned { cancelOnly(running) }
        } else {
            endIfCancelled()
        }
    }

    private func cancelOnly(_ task: URLSessionTask) {
        task.cancel(keepingResumeData: taskOptions.keepsResumeData)
    }

    /// Ends the wait after a cancellation, unless a task in flight will end it.
    private func endIfCancelled() {
        let state = state.withLock { $0 }
        guard state.isCancelled, !state.isRunning || state.task == nil else { return }
        var parts = state.outcome?.parts ?? joined(nil, nil, file: nil, URLError(.cancelled))
        if (parts.error as? URLError)?.code != .cancelled { parts.error = URLError(.cancelled) }
        parts.object = nil
        waiter.take(TaskOutcome(parts))
    }

    // MARK: Completion

    private func note(_ outcome: TaskOutcome) {
        let former = state.withLock { state in
            defer { state.end(with: outcome) }
            return state.outcome
        }
        extendLifetime(former)
    }

    /// The completion handler to pass to the method that creates the task.
    var handler: URLSessionManager.CompletionHandler {
        { [self] response, object, error in
            end(response, object: object, file: nil, error)
        }
    }

    /// The completion handler to pass to the method that creates the download.
    var downloadHandler: URLSessionManager.DownloadCompletionHandler {
        { [self] response, file, error in
            end(response, object: file, file: file, error)
        }
    }

    /// Resumes the Swift task with the handler's arguments.
    private func end(
        _ response: URLResponse?,
        object: (any Sendable)?,
        file: URL?,
        _ error: (any Error)?
    ) {
        let state = state.withLock { state -> State in
            state.hasEnded = true
            return state
        }
        let own = state.outcome.flatMap { noted in
            isOutcome(noted, of: response, error, isRunning: state.isRunning) ? noted : nil
        }
        var parts = joined(own, response, file: file, error)
        parts.object = object
        waiter.take(TaskOutcome(parts))
    }

    /// Whether the handler's arguments are those of the last task's outcome.
    ///
    /// An override may pass the outcome of another task, and may replace the error.
    private func isOutcome(
        _ outcome: TaskOutcome,
        of response: URLResponse?,
        _ error: (any Error)?,
        isRunning: Bool
    ) -> Bool {
        guard response == nil, outcome.response == nil else { return outcome.response === response }
        if isRunning { return false }
        if PendingTask.current === self { return true }
        let (one, other) = (error as NSError?, outcome.error as NSError?)
        return one?.domain == other?.domain && one?.code == other?.code
    }

    /// The parts of an outcome, from the handler's arguments and from the task's outcome.
    private func joined(
        _ own: TaskOutcome?,
        _ response: URLResponse?,
        file: URL?,
        _ error: (any Error)?
    ) -> TaskOutcome.Parts {
        var parts = TaskOutcome.Parts(
            response: response,
            data: own?.data,
            file: file ?? own?.file,
            metrics: own?.metrics,
            error: error,
            serializer: own?.serializer ?? serializer ?? core.read(\.responseSerializer),
            request: own?.request
        )
        parts.serializationDuration = own?.serializationDuration ?? .zero
        return parts
    }
}

/// Passes a task's outcome to the Swift task that waits for it. Either may come first.
final class OutcomeWaiter: Sendable {
    private enum State: Sendable {
        case open
        case waiting(CheckedContinuation<TaskOutcome, Never>)
        /// The outcome has come, and nothing waits for it yet.
        case done(TaskOutcome)
        case taken
    }

    private let state = Mutex(State.open)

    /// Stores the outcome, or resumes the Swift task that waits for it. A second outcome is ignored.
    func take(_ outcome: TaskOutcome) {
        let continuation = state.withLock { state -> CheckedContinuation<TaskOutcome, Never>? in
            switch state {
            case .open:
                state = .done(outcome)
                return nil
            case .waiting(let continuation):
                state = .taken
                return continuation
            case .done, .taken:
                return nil
            }
        }
        continuation?.resume(returning: outcome)
    }

    /// Waits for the outcome. Call it once.
    func outcome() async -> TaskOutcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> TaskOutcome? in
                if case .done(let outcome) = state {
                    state = .taken
                    return outcome
                }
                state = .waiting(continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
