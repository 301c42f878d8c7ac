internal import CurlTransport
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
    var delegates = TaskDelegates.none
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
    /// Counts cancellations. What was scheduled before one delivers nothing after it.
    var deliveryNumber = 0
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
        exchange = TaskExchange(request, body: body, pool: session?.core.buffers)
    }

    /// Whether the complete body is kept in memory.
    var collectsContent: Bool {
        guard !kind.isDownload else { return false }
        return switch consumer {
        case .dataHandler, .fileHandler, .awaited: true
        case .delegate, .stream: false
        }
    }

    /// Whether a delegate gets the response and the body as they arrive.
    ///
    /// If a Swift task awaits the result, only the task's own delegate gets them.
    var reportsContent: Bool {
        switch consumer {
        case .delegate: delegates.data != nil
        case .awaited: delegates.isDataOwn
        case .dataHandler, .fileHandler, .stream: false
        }
    }

    /// Whether a delegate gets the progress of a download.
    ///
    /// If a Swift task awaits the result, only the task's own delegate gets it.
    var reportsFile: Bool {
        switch consumer {
        case .delegate: delegates.download != nil
        case .awaited: delegates.isDownloadOwn
        case .dataHandler, .fileHandler, .stream: false
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

/// The clock of a task, for its timeout and its metrics.
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

// MARK: - The start and the end of a task

extension TaskState {
    /// The effect of `resume`.
    enum Beginning {
        case none
        /// The task has failed.
        case failed
        /// The paused flow continues.
        case proceed
        case load(LoadRequest)
        case wait(until: Date)
    }

    /// Returns the observer of `resume` and `suspend`. `nil` if the call has no effect.
    func observer(unlessTaskIs state: URLSessionTask.State) -> (any URLSessionTaskObserver)? {
        life.state == state ? nil : ownDelegate.observer
    }

    mutating func resume() -> Beginning {
        switch life.resume() {
        case .begin:
            return begin()
        case .proceed:
            updateFlow()
            return .proceed
        case .none, .hold:
            return .none
        }
    }

    private mutating func begin() -> Beginning {
        findDelegates()
        if let startFailure {
            finish(with: startFailure.error(url: exchange.originalRequest?.url))
            return .failed
        }
        guard let loadRequest = firstLoadRequest() else { return .failed }
        if ownDelegate.interceptor != nil { kind.download?.noteFirstAttempt() }
        if let date = details.earliestBeginDate { return .wait(until: date) }
        guard ownDelegate.interceptor != nil else { return .load(loadRequest) }
        attempt(loadRequest)
        return .proceed
    }

    private mutating func findDelegates() {
        if task == nil, case .sessionIsInvalid(let owners) = startFailure { task = owners() }
        delegates = TaskDelegates(own: ownDelegate.delegate, session: session?.core.delegates)
        delivery.deliversMetrics = delegates.task != nil
        delivery.asksForDisposition = ownDelegate.interceptor != nil && startFailure == nil
    }

    // MARK: Requests to load

    /// Returns the first request to load: the task's own, or one for the server's offset.
    func firstLoadRequest() -> LoadRequest? {
        if let resumeData = kind.upload?.resumeData { return resumeData.inquiry }
        guard let original = exchange.originalRequest else { return nil }
        return loadRequest(for: original, exchange.body)
    }

    /// - Parameter request: The task's request, or the delegate's replacement.
    func loadRequest(for request: URLRequest, _ body: TaskBody) -> LoadRequest {
        guard kind.isUpload, let settings = session?.core.settings,
            UploadState.isResumable(request, body, settings)
        else { return LoadRequest(request, body: body) }
        return LoadRequest(request, body: body, upload: .whole)
    }

    /// - Parameter request: The delegate's replacement of a delayed request.
    func loadRequest(ofDelayed request: URLRequest) -> LoadRequest {
        loadRequest(for: request, kind.isUpload ? exchange.body : TaskBody(request.state.body))
    }

    /// Schedules a load, after asking the interceptor if there is one.
    mutating func attempt(_ loadRequest: LoadRequest?) {
        if let loadRequest, ownDelegate.interceptor != nil {
            ask(.attempt(loadRequest))
        } else {
            exchange.next = loadRequest
        }
    }

    /// Pauses or resumes the flow according to the current state.
    func updateFlow() {
        guard let loader = exchange.loaderInFlight else { return }
        loader.allow(
            receiving: !life.isSuspended && !exchange.buffer.isFull,
            sending: !life.isSuspended
        )
    }

    // MARK: Loads

    /// Returns `nil` after the task has completed.
    mutating func loadContext() -> LoadContext? {
        guard let session else { return nil }
        return LoadContext(
            session: session,
            kind: kind,
            timeLimit: clock.timeLeft(of: session.core.settings.resourceLimit),
            asksForTrust: delegates.connection != nil,
            collectsContent: collectsContent,
            cachingDelegate: kind.isData && consumer.isDelegate ? delegates.data : nil
        )
    }

    /// Starts a load. Returns false if it is no longer wanted.
    mutating func begin(_ load: TaskLoad, bodyLength: Int64) -> Bool {
        guard !hasEnded, interruption.error == nil else { return false }
        exchange.begin(load)
        let step = load.loadRequest.upload
        let offset = step?.offset ?? 0
        kind.upload?.begin(step)
        counts.encoded = nil
        counts.sent = offset
        counts.sentReported = offset
        counts.expectedToSend = kind.upload?.resumeData?.length ?? bodyLength
        if life.isSuspended { updateFlow() }
        return true
    }

    /// Replaces the current load with another one.
    mutating func replaceLoad(with loadRequest: LoadRequest) {
        exchange.replaceLoad(with: loadRequest)
        updateFlow()
    }

    // MARK: The end

    /// Completes the task after its last load.
    mutating func complete() {
        guard !hasEnded else { return }
        if let refusal { return finish(with: refusal) }
        if let file = kind.download?.file { return complete(file) }
        hasEnded = true
        delivery.noteEnd(hasFailed: false)
    }

    /// Fails the task. A download or upload first produces its resume data.
    mutating func finish(with error: any Error) {
        guard !hasEnded else { return }
        if interruption.error != nil {
            // A cancellation replaces an earlier error.
            if life.isCancelled { interruption.error = error }
        } else if keepsContent || uploadToKeep != nil {
            interruption.error = error
            interruption.isDue = true
            kind.download?.cancelCompletion()
            (question, exchange.next) = (nil, nil)
        } else {
            end(with: resumable(error))
        }
    }

    mutating func end(with error: any Error) {
        hasEnded = true
        self.error = error
        question = nil
        exchange.next = nil
        if life.isCancelled {
            delivery.noteCancellation()
        } else {
            delivery.noteEnd(hasFailed: true)
        }
    }

    /// Cancels a load with a local error. Returns the loader to cancel, if there is one.
    mutating func stop(because error: any Error) -> (any Loader)? {
        guard !hasEnded else { return nil }
        guard let loader = exchange.loaderInFlight else {
            finish(with: error)
            return nil
        }
        if reason == nil { reason = error }
        return loader
    }

    /// Cancels the task. Returns the loader to cancel, if there is one.
    mutating func cancel() -> (any Loader)? {
        guard !delivery.isOver, life.cancel() else { return nil }
        if !life.hasBegun { findDelegates() }
        // What follows comes after work that the program has added to the queue meanwhile.
        (isDeliveryScheduled, deliveryNumber) = (false, deliveryNumber + 1)
        let cancelled = exchange.urlError(.cancelled)
        // Pending deliveries are dropped.
        guard hasEnded else {
            delivery.dropAll()
            return stop(because: cancelled)
        }
        if interruption.handlers.isEmpty { interruption.resumeData = nil }
        error =
            interruption.resumeData.map { cancelled.with(resumeData: $0, isUpload: kind.isUpload) }
            ?? cancelled
        delivery.noteCancellation()
        return nil
    }

    /// Completes the task and releases its references. Returns `nil` if that was done before.
    mutating func close() -> TaskRemains? {
        guard life.complete() else { return nil }
        assert(hasEnded, "a task is closed before its end")
        _ = exchange.response()
        let file = kind.download?.close(hasFailed: error != nil)
        let remains = TaskRemains(
            session: session.take(),
            task: task.take(),
            consumer: consumer,
            delegates: delegates,
            ownDelegate: ownDelegate,
            load: exchange.load.take(),
            former: kind.download?.former.take(),
            file: interruption.resumeData == nil ? file : nil,
            alarm: alarm.take(),
            hasFailed: error != nil
        )
        ownDelegate = OwnDelegate(nil)
        exchange.proposal = nil
        kind.upload?.release()
        delegates = .none
        if !consumer.isSwiftTask { consumer = .delegate }
        return remains
    }
}
