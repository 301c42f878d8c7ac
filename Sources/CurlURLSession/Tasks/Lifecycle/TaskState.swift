internal import Foundation
internal import Posix

/// The state of a task, under its lock.
///
/// Events change it; the resulting actions are returned as a ``TaskAction`` and carried out without
/// the lock. It is noncopyable, because an accidental copy would cost more than most operations.
struct TaskState: ~Copyable {
    var life = TaskLife()
    var delivery = TaskDelivery()

    // MARK: Participants

    /// `nil` after the task has completed.
    var session: URLSession?
    /// The public task object. `nil` after completion, and before the start for an invalid session.
    var task: URLSessionTask?
    var kind: TaskKindState
    var consumer: TaskConsumer
    var ownDelegate: OwnDelegate
    /// Determined when the task starts.
    var delegates = TaskDelegates()
    /// A waiting Swift task, and its event.
    var waiter: TaskWaiter?

    // MARK: Requests and loads

    var exchange: TaskExchange
    /// The reason why the task can't start.
    var startFailure: TaskStartFailure?
    @Indirect var question: TaskQuestion? = nil
    var counts = ByteCounts()
    var interruption = Interruption()
    var clock = TaskClock()

    // MARK: The end

    /// The result is known, and is delivered next.
    var hasEnded = false
    var error: (any Error)?
    /// The local error because of which a load is being ended.
    var reason: (any Error)?
    /// Whether the task is scheduled on the delegate queue.
    var isDeliveryScheduled = false
    /// An action after a delay, unless the task completes before.
    var alarm: LoadTimer?

    var details = TaskDetails()

    init(
        session: URLSession?,
        request: URLRequest?,
        kind: TaskKindState,
        body: TaskBody,
        consumer: TaskConsumer,
        delegate: (any URLSessionTaskDelegate)?
    ) {
        self.session = session
        self.kind = kind
        self.consumer = consumer
        ownDelegate = OwnDelegate(delegate)
        exchange = TaskExchange(request, body: body)
    }

    /// Whether the complete body is kept in memory.
    var collectsContent: Bool {
        guard !kind.isDownload else { return false }
        return switch consumer {
        case .dataHandler, .fileHandler, .awaited: true
        case .delegate, .stream: false
        }
    }
}

/// A task's own delegate, as its owner set it.
struct OwnDelegate: Sendable {
    let delegate: (any URLSessionTaskDelegate)?
    /// The delegate, if it observes `resume` and `suspend`.
    let observer: (any URLSessionTaskObserver)?
    /// Takes part in each attempt. Without an interceptor there is only one attempt.
    var interceptor: (any URLSessionTaskInterceptor)?

    init(_ delegate: (any URLSessionTaskDelegate)?) {
        self.delegate = delegate
        observer = delegate.flatMap { $0 as? any URLSessionTaskObserver }
        interceptor = observer?.interceptor
    }
}

/// The clock of a task, for its time limit and its metrics.
struct TaskClock: Sendable {
    let created = Date()
    private var begun: MonotonicTime?

    /// Returns the remaining time of the task's limit. The first call starts the clock.
    mutating func timeLeft(of limit: Duration?) -> Duration? {
        guard let limit else { return nil }
        guard let begun else {
            begun = .now
            return limit
        }
        return limit - .nanoseconds(MonotonicTime.now.nanoseconds(since: begun))
    }
}

/// Properties of a task that most owners don't use.
struct TaskDetails: Sendable {
    var taskDescription: String?
    var priority = URLSessionTask.defaultPriority
    var earliestBeginDate: Date?
    /// Created on demand.
    var progress: Progress?
}

/// The state of an interrupted download or upload.
struct Interruption: Sendable {
    /// The task's error once the resume data is ready. `nil` if the task isn't being ended.
    var error: (any Error)?
    /// Whether the resume data must still be produced.
    var isDue = false
    /// Called with the resume data when the task has ended.
    var handlers: [ResumeDataHandler] = []
    /// The resume data; `nil` if the transfer can't be resumed.
    var resumeData: Data?

    mutating func takeHandlers() -> ([ResumeDataHandler], Data?) {
        defer { handlers = [] }
        return (handlers, resumeData)
    }
}
