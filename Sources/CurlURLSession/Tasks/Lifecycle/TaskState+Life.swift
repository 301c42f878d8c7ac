internal import CurlTransport
internal import Foundation

// The start and the end of a task.

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
        guard let plan = firstPlan() else { return .failed }
        if ownDelegate.interceptor != nil { kind.download?.noteFirstAttempt() }
        if let date = details.earliestBeginDate { return .wait(until: date) }
        guard ownDelegate.interceptor != nil else { return .load(plan) }
        attempt(plan)
        return .proceed
    }

    private mutating func findDelegates() {
        if task == nil, case .sessionIsInvalid(let owners) = startFailure { task = owners() }
        delegates = TaskDelegates(own: ownDelegate.delegate, session: session?.core.delegates)
        delivery.deliversMetrics = delegates.task != nil
        delivery.asksForDisposition = ownDelegate.interceptor != nil && startFailure == nil
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
    mutating func loadTerms() -> LoadContext? {
        guard let session else { return nil }
        return LoadContext(
            session: session,
            kind: kind,
            timeLimit: clock.timeLeft(of: session.core.settings.resourceLimit),
            asksForTrust: delegates.connection != nil,
            collectsContent: collectsContent
        )
    }

    /// Starts a load. Returns false if it is no longer wanted.
    mutating func begin(_ load: TaskLoad, bodyLength: Int64) -> Bool {
        guard !hasEnded, interruption.error == nil else { return false }
        exchange.begin(load)
        let step = load.plan.upload
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
    mutating func replaceLoad(with plan: LoadRequest) {
        exchange.replaceLoad(with: plan)
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
            kind.download?.cancelSealing()
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

    /// The resources of a completed task.
    struct Remains {
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
    }

    /// Completes the task and releases its references. Returns `nil` if that was done before.
    mutating func close() -> Remains? {
        guard life.complete() else { return nil }
        _ = exchange.response()
        let file = kind.download?.close(hasFailed: error != nil)
        let remains = Remains(
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
        delegates = TaskDelegates()
        if !consumer.isSwiftTask { consumer = .delegate }
        return remains
    }
}
