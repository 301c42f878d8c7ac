internal import Curl
internal import CurlTransport
internal import Foundation

// How a task begins and ends.

extension TaskState {
    /// What `resume` leads to.
    enum Beginning {
        case none
        /// The task has failed.
        case obstacle
        /// What was held back goes on.
        case proceed
        case load(LoadPlan)
        case wait(until: Date)
    }

    /// Who is told what the task's owner does; nobody where that changes nothing.
    func observer(unlessTaskIs state: URLSessionTask.State) -> (any URLSessionTaskObserver)? {
        observer == nil || life.state == state ? nil : observer
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
        findRecipients()
        if let obstacle {
            finish(with: obstacle.error(url: originalRequest?.url))
            return .obstacle
        }
        guard let plan = firstPlan() else { return .obstacle }
        if interceptor != nil { resumedFrom = resumption }
        if let date = details.earliestBeginDate { return .wait(until: date) }
        guard interceptor != nil else { return .load(plan) }
        attempt(plan)
        return .proceed
    }

    private mutating func findRecipients() {
        if task == nil, case .sessionIsInvalid(let owners) = obstacle { task = owners() }
        recipients = TaskRecipients(own: delegate, session: session?.core.delegates)
        delivery.tellsMetrics = recipients.task != nil
        delivery.asksForVerdict = interceptor != nil && obstacle == nil
    }

    /// Lets flow what may, as things stand now.
    func updateFlow() {
        guard let loader = loaderUnderWay else { return }
        loader.allow(
            receiving: !life.isSuspended && !isWindowFull,
            sending: !life.isSuspended
        )
    }

    /// What loads now, if anything does.
    private var loaderUnderWay: (any Loader)? {
        load?.isOver ?? true ? nil : load?.loader
    }

    // MARK: Loads

    /// `nil` once the task is over.
    mutating func loadTerms() -> LoadTerms? {
        guard let session else { return nil }
        return LoadTerms(
            session: session,
            kind: kind,
            extra: extra,
            timeLimit: timeLeft(of: session.core.settings.resourceLimit),
            asksForTrust: recipients.connection != nil,
            collectsContent: collectsContent
        )
    }

    /// A load begins. False if it isn't wanted any more.
    mutating func begin(_ load: TaskLoad, bodyLength: Int64) -> Bool {
        guard !hasEnded, interruption.error == nil else { return false }
        self.load = load
        authentication.begin(with: load.plan.authorization)
        current = load.plan.shared
        let step = load.plan.upload
        let offset = step?.offset ?? 0
        if step == nil || step == .whole { upload = nil }
        counts.encoded = nil
        counts.sent = offset
        counts.sentToldOf = offset
        counts.expectedToSend = upload?.length ?? bodyLength
        // Nobody can read it a second time.
        if case .stream = load.plan.body { body = .asked }
        if life.isSuspended { updateFlow() }
        return true
    }

    /// How much of a limit for the whole task is left; begins to count with the first call.
    mutating func timeLeft(of limit: Duration?) -> Duration? {
        guard let limit else { return nil }
        guard let begun else {
            begun = .now
            return limit
        }
        return limit - .nanoseconds(MonotonicTime.now.nanoseconds(since: begun))
    }

    /// The present load is to be followed by another one.
    mutating func goOn(with plan: LoadPlan) {
        next = plan
        received = Data()
        isWindowFull = false
        load?.phase = .discarding(left: TaskLoad.maximumDiscarded)
        updateFlow()
    }

    // MARK: The end

    /// All that there was to load is loaded.
    mutating func complete() {
        guard !hasEnded else { return }
        if let refusal { return finish(with: refusal) }
        // A server may send less of the rest than it was asked for (RFC 9110, 15.3.7).
        if resumption != nil, file != nil, counts.received < counts.expectedToReceive {
            return finish(with: incompleteFile)
        }
        guard file == nil else {
            isSealing = true
            return
        }
        hasEnded = true
        delivery.noteEnd(hasFailed: false)
    }

    private var incompleteFile: URLError {
        URLError(
            .networkConnectionLost,
            url: currentRequest?.url,
            reason: "the server has sent only a part of the rest: there are \(counts.received) of "
                + "\(counts.expectedToReceive) bytes. Go on with the resume data."
        )
    }

    /// The file of a download has all its bytes.
    mutating func completeFile(_ file: DownloadFile) {
        guard self.file === file, !hasEnded, interruption.error == nil else { return }
        // What was gone on with has another name by now.
        if resumption != nil { isResumptionVoid = true }
        // Those that were written last.
        if consumer.isDelegate, recipients.download != nil { delivery.noteBytes() }
        delivery.noteFile()
        hasEnded = true
        delivery.noteEnd(hasFailed: false)
    }

    /// The task fails; a download or an upload does so once what it has is ready for another one.
    mutating func finish(with error: any Error) {
        guard !hasEnded else { return }
        if interruption.error != nil {
            // A cancellation counts for more than what it comes upon.
            if life.isCancelled { interruption.error = error }
        } else if keepsContent || uploadToKeep != nil {
            interruption.error = error
            interruption.isDue = true
            isSealing = false
            (question, next) = (nil, nil)
        } else {
            end(with: resumable(error))
        }
    }

    mutating func end(with error: any Error) {
        hasEnded = true
        self.error = error
        question = nil
        next = nil
        if life.isCancelled {
            delivery.noteCancellation()
        } else {
            delivery.noteEnd(hasFailed: true)
        }
    }

    /// Ends a load for a reason of this side's own; the answer is the loader to be told, if there is
    /// one.
    mutating func stop(because error: any Error) -> (any Loader)? {
        guard !hasEnded else { return nil }
        guard let loader = loaderUnderWay else {
            finish(with: error)
            return nil
        }
        if reason == nil { reason = error }
        return loader
    }

    /// The answer is the loader to be told, if there is one.
    mutating func cancel() -> (any Loader)? {
        guard !delivery.isOver, life.cancel() else { return nil }
        if !life.hasBegun { findRecipients() }
        let cancelled = urlError(.cancelled)
        // What wasn't told yet isn't told any more.
        guard hasEnded else {
            delivery.dropAll()
            return stop(because: cancelled)
        }
        if interruption.handlers.isEmpty { interruption.resumeData = nil }
        error =
            interruption.resumeData.map { cancelled.with(resumeData: $0, of: kind) } ?? cancelled
        delivery.noteCancellation()
        return nil
    }

    /// What is left of a task that is over.
    struct Remains {
        let session: URLSession?
        let task: URLSessionTask?
        let consumer: TaskConsumer
        let recipients: TaskRecipients
        let delegate: (any URLSessionTaskDelegate)?
        let load: TaskLoad?
        /// What it was, if that wasn't told.
        let former: URLSessionDataTask?
        /// Unless another download goes on with it.
        let file: DownloadFile?
        let alarm: LoadTimer?
        let hasFailed: Bool
    }

    /// Lets go of all who were told. `nil` if that was done before.
    mutating func close() -> Remains? {
        guard life.complete() else { return nil }
        _ = response()
        finishedFile = error == nil ? file?.url : nil
        let file = file.take()
        let remains = Remains(
            session: session.take(),
            task: task.take(),
            consumer: consumer,
            recipients: recipients,
            delegate: delegate.take(),
            load: load.take(),
            former: former.take(),
            file: interruption.resumeData == nil ? file : nil,
            alarm: alarm.take(),
            hasFailed: error != nil
        )
        (observer, interceptor) = (nil, nil)
        proposal = nil
        upload = nil
        recipients = TaskRecipients()
        if !consumer.isSwiftTask { consumer = .delegate }
        return remains
    }
}
