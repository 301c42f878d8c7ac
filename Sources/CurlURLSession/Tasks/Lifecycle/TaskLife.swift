internal import CurlTransport
internal import Foundation

/// The life cycle of a task, as a pure value.
///
/// Suspensions are counted: a task that was suspended twice runs after two calls of `resume`. A new
/// task has one suspension. The task starts when the count first reaches zero, and completes
/// exactly once, whatever the order of events.
struct TaskLife {
    /// The number of `resume` calls until the task runs.
    private(set) var suspensions = 1
    private(set) var hasBegun = false
    private(set) var isCancelled = false
    private(set) var isCompleted = false

    enum Action: Equatable {
        case none
        /// Start loading.
        case begin
        /// Pause the flow in both directions.
        case hold
        /// Resume the flow.
        case proceed
    }

    var state: URLSessionTask.State {
        if isCompleted { return .completed }
        if isCancelled { return .canceling }
        return suspensions == 0 ? .running : .suspended
    }

    /// Whether the task has started, and is neither being cancelled nor completed.
    var isInProgress: Bool { hasBegun && !isCancelled && !isCompleted }

    /// Whether the flow is paused.
    var isSuspended: Bool { suspensions > 0 }

    mutating func resume() -> Action {
        guard !isCompleted, !isCancelled, suspensions > 0 else { return .none }
        suspensions -= 1
        guard suspensions == 0 else { return .none }
        guard hasBegun else {
            hasBegun = true
            return .begin
        }
        return .proceed
    }

    mutating func suspend() -> Action {
        guard !isCompleted, !isCancelled else { return .none }
        suspensions += 1
        return suspensions == 1 ? .hold : .none
    }

    /// Returns false if the task was already cancelled or has completed.
    mutating func cancel() -> Bool {
        guard !isCompleted, !isCancelled else { return false }
        isCancelled = true
        return true
    }

    /// Returns false if the task had already completed.
    mutating func complete() -> Bool {
        guard !isCompleted else { return false }
        isCompleted = true
        return true
    }
}

/// The kind of a task, with the state that only tasks of this kind have.
enum TaskKindState: Sendable {
    case data
    case upload(UploadState)
    case download(DownloadState)
    // Indirect, because each task has room for the largest case, and most have no such connection.
    indirect case webSocket(TaskWebSocket)
    indirect case stream(TaskStream)

    var isData: Bool {
        if case .data = self { true } else { false }
    }

    var isUpload: Bool {
        if case .upload = self { true } else { false }
    }

    var isDownload: Bool {
        if case .download = self { true } else { false }
    }

    var isWebSocket: Bool {
        if case .webSocket = self { true } else { false }
    }

    /// Takes the connection of a task that has ended, once. `nil` for tasks without one.
    mutating func takeAbandoned() -> (any TaskConnection)? {
        if let webSocket, !webSocket.isAbandoned {
            self.webSocket?.noteAbandoning()
            return webSocket.connection
        }
        if let stream, !stream.isAbandoned {
            self.stream?.isAbandoned = true
            return stream.connection
        }
        return nil
    }
}

// The state of each kind; `nil` for tasks of other kinds. Setting it to `nil` has no effect.

extension TaskKindState {
    var upload: UploadState? {
        get { if case .upload(let upload) = self { upload } else { nil } }
        set { if let newValue { self = .upload(newValue) } }
    }

    var download: DownloadState? {
        get { if case .download(let download) = self { download } else { nil } }
        set { if let newValue { self = .download(newValue) } }
    }

    var webSocket: TaskWebSocket? {
        get { if case .webSocket(let webSocket) = self { webSocket } else { nil } }
        set { if let newValue { self = .webSocket(newValue) } }
    }

    var stream: TaskStream? {
        get { if case .stream(let stream) = self { stream } else { nil } }
        set { if let newValue { self = .stream(newValue) } }
    }
}

/// A connection with pending reads or writes of a task's owner.
protocol TaskConnection: Sendable {
    /// Ends the connection at once; pending calls fail.
    func cancel()
}

extension WebSocketConnection: TaskConnection {}

/// The next action of a task, carried out without its lock.
enum TaskAction: ~Copyable, Sendable {
    case none
    case storeCookies(ReceivedCookies)
    case storeCredential(Authorization.Proof, URLCredentialStorage)
    case load(LoadRequest)
    /// Wait for connectivity, if missing connectivity caused the error.
    case wait(TransportError)
    /// Answer the question with the default, because there is no delegate.
    case decide(TaskQuestion, number: Int)
    /// Write received bytes to the file.
    case write(DownloadFile)
    /// Complete the file: all bytes have arrived.
    case complete(DownloadFile)
    /// Keep the partial file, so that another download can resume it.
    case keep(DownloadFile)
    /// Produce resume data, so that another task can resume the upload.
    case keepUpload(UploadResumeData?)
    /// Call the handlers with the resume data, on the delegate queue.
    case deliverResumeData([ResumeDataHandler], Data?, DelegateEvents?)
    /// Resume a waiting Swift task.
    case wake(TaskWaiter)
    /// Fail the pending calls of the connection: the task has ended.
    case abandon(any TaskConnection)
    /// Schedule deliveries on the delegate queue.
    case scheduleDelivery(DelegateEvents, number: Int)
    /// Finish the task without calling the delegate or a handler.
    case finish
}

// Determines the next action of a task after a change.

extension TaskState {
    mutating func nextAction() -> TaskAction {
        if let cookies = exchange.cookies.take() { return .storeCookies(cookies) }
        if let file = kind.download?.file, file.takeWork() { return .write(file) }
        if interruption.isDue {
            interruption.isDue = false
            if let file = kind.download?.file { return .keep(file) }
            return .keepUpload(uploadToKeep)
        }
        if hasEnded, !interruption.handlers.isEmpty, !hasCallbackTarget {
            let (handlers, data) = interruption.takeHandlers()
            return .deliverResumeData(handlers, data, session?.core.events)
        }
        if let action = exchange.storeAccepted(in: session?.core) { return action }
        guard !exchange.isStoring else { return .none }
        if let error = exchange.connectivity.takeError(), !hasEnded { return .wait(error) }
        if let loadRequest = nextLoadRequest() { return .load(loadRequest) }
        if let file = kind.download?.takeFileToComplete() { return .complete(file) }
        if let question, !hasDelegate(for: question), delivery.takeQuestion() {
            return .decide(question, number: delivery.questionNumber)
        }
        if hasEnded, let connection = kind.takeAbandoned() { return .abandon(connection) }
        if let event = waiter?.event, isDue(event), let waiter = waiter.take() {
            return .wake(waiter)
        }
        return scheduleDelivery()
    }

    /// Takes the next request if no load is in flight. A suspended task starts no load.
    private mutating func nextLoadRequest() -> LoadRequest? {
        guard !hasEnded, !life.isSuspended else { return nil }
        return exchange.takeNext()
    }

    func hasDelegate(for question: TaskQuestion) -> Bool {
        switch question {
        case .trust, .clientCertificate, .challenge, .loadersChallenge:
            delegates.connection != nil
        case .redirect, .bodyStream, .delayedRequest, .attempt: delegates.task != nil
        }
    }

    private mutating func scheduleDelivery() -> TaskAction {
        guard let session else { return hasEnded && !life.isCompleted ? .finish : .none }
        guard !isDeliveryScheduled, hasStep else { return .none }
        guard hasCallbackTarget else {
            // The waiting Swift task closes the task itself.
            return hasEnded && !consumer.isAwaited ? .finish : .none
        }
        isDeliveryScheduled = true
        return .scheduleDelivery(session.core.events, number: deliveryNumber)
    }

    /// Whether a step is due. Progress of the body isn't while more of it is expected at once.
    private var hasStep: Bool {
        !hasEnded && exchange.buffer.awaitsMore
            ? delivery.hasNextExceptBytes : delivery.hasNext
    }

    private var hasCallbackTarget: Bool {
        switch consumer {
        case .dataHandler, .fileHandler: true
        case .delegate, .awaited, .stream: delegates.task != nil || question != nil
        }
    }

    // MARK: Swift tasks

    /// Whether a Swift task that waits for the event can be resumed.
    func isDue(_ event: TaskWaiter.Event) -> Bool {
        guard !exchange.isStoring else { return false }
        // Deliveries to a delegate come first.
        if hasEnded { return !hasCallbackTarget || delivery.isOver || life.isCompleted }
        switch event {
        case .end: return false
        case .head: return exchange.load?.isDelivering ?? false
        case .bytes: return !exchange.buffer.isEmpty && !exchange.buffer.awaitsMore
        }
    }

    /// Keeps a waiting Swift task. If it mustn't wait, returns the value to resume it with: true if
    /// the event has already occurred, false if another Swift task waits.
    mutating func keep(_ waiter: inout TaskWaiter?) -> Bool? {
        guard let event = waiter?.event, !isDue(event) else { return true }
        guard self.waiter == nil else { return false }
        self.waiter = waiter.take()
        return nil
    }

    // MARK: Questions

    mutating func ask(_ question: TaskQuestion) {
        guard !hasEnded else { return }
        self.question = question
        delivery.note(.question)
    }

    /// Accepts an answer. Returns false if it isn't awaited, because the question has been answered
    /// or the task has ended.
    ///
    /// - Parameter number: The question that is answered.
    mutating func takeAnswer(to number: Int) -> Bool {
        guard delivery.answer(to: number) else { return false }
        question = nil
        alarm?.cancel()
        alarm = nil
        return !hasEnded
    }

    // MARK: Steps

    /// Takes the next step for the delegate queue. If there is none, returns `nil` and the task is
    /// no longer scheduled.
    ///
    /// - Parameter number: The ``deliveryNumber`` when the task was scheduled. If it has changed,
    ///   there is no step.
    mutating func nextStep(scheduledAs number: Int) -> TaskStep? {
        guard number == deliveryNumber else { return nil }
        guard !exchange.isStoring, let session, let task,
            let step = delivery.next()
        else {
            isDeliveryScheduled = false
            return nil
        }
        return TaskStep(
            step: step,
            number: delivery.questionNumber,
            session: session,
            task: task,
            delegates: delegates
        )
    }

    /// Whether a step is due now. If none is, the task is no longer scheduled.
    ///
    /// - Parameter number: As for ``nextStep(scheduledAs:)``.
    mutating func continuesDelivery(scheduledAs number: Int) -> Bool {
        guard number == deliveryNumber else { return false }
        isDeliveryScheduled =
            !exchange.isStoring && session != nil && task != nil && hasStep
        return isDeliveryScheduled
    }
}
