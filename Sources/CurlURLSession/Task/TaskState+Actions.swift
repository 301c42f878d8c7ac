internal import Foundation

// What a task does next, when something has changed.

extension TaskState {
    mutating func nextAction() -> TaskAction {
        if let cookies = cookies.take() {
            isStoringCookies = true
            return .storeCookies(cookies)
        }
        if let file, file.takeWork() { return .write(file) }
        if interruption.isDue {
            interruption.isDue = false
            if let file { return .keep(file) }
            return .keepUpload(uploadToKeep)
        }
        if hasEnded, !interruption.handlers.isEmpty, !hasSomebodyToTell {
            let (handlers, data) = interruption.takeHandlers()
            return .handOver(handlers, data, session?.core.events)
        }
        if let action = storeAccepted() { return action }
        // Whoever is told of a response finds its cookies stored, and its credential.
        guard !isStoringCookies, !isStoringCredential else { return .none }
        if let error = connectivity.takeObstacle(), !hasEnded { return .wait(error) }
        if let plan = nextPlan() { return .load(plan) }
        if isSealing, let file {
            isSealing = false
            return .seal(file)
        }
        if let question, !hasSomebodyToAsk(question), delivery.takeQuestion() {
            return .decide(question, number: delivery.questionNumber)
        }
        if hasEnded, let connection = takeAbandoned() { return .abandon(connection) }
        if let event = waiter?.event, isDue(event), let waiter = waiter.take() {
            return .wake(waiter)
        }
        return getInLine()
    }

    /// What a server or proxy has accepted is stored, if its owner wants that; by Basic, it is sent
    /// unasked from then on.
    private mutating func storeAccepted() -> TaskAction? {
        guard !isStoringCredential else { return nil }
        while let proof = accepted.popLast() {
            guard proof.credential.persistence != .none, let core = session?.core,
                let storage = core.settings.urlCredentialStorage
            else { continue }
            if proof.scheme == .basic, let url = load?.plan.request.url {
                core.protection.note(proof.space, at: url)
            }
            isStoringCredential = true
            return .storeCredential(proof, storage)
        }
        return nil
    }

    /// The connection of a task that is over, once.
    private mutating func takeAbandoned() -> (any TaskConnection)? {
        guard extra != nil, !hasAbandoned else { return nil }
        hasAbandoned = true
        return switch extra {
        case .none: nil
        case .webSocket(let webSocket): webSocket.connection
        case .stream(let stream): stream.connection
        }
    }

    /// What is loaded now that nothing else is. A suspended task begins nothing.
    private mutating func nextPlan() -> LoadPlan? {
        guard !hasEnded, !life.isSuspended, load?.isOver ?? true else { return nil }
        return next.take()
    }

    func hasSomebodyToAsk(_ question: TaskQuestion) -> Bool {
        switch question {
        case .trust, .clientCertificate, .challenge, .loadersChallenge:
            recipients.connection != nil
        case .redirect, .bodyStream, .delayedRequest, .attempt: recipients.task != nil
        }
    }

    private mutating func getInLine() -> TaskAction {
        guard let session else { return hasEnded && !life.isCompleted ? .finish : .none }
        guard !isInLine, delivery.hasNext else { return .none }
        guard hasSomebodyToTell else {
            // A Swift task that waits for the end looks after that itself.
            return hasEnded && !consumer.isAwaited ? .finish : .none
        }
        isInLine = true
        return .tell(session.core.events)
    }

    private var hasSomebodyToTell: Bool {
        switch consumer {
        case .dataHandler, .fileHandler: true
        case .delegate, .awaited, .stream: recipients.task != nil || question != nil
        }
    }

    // MARK: Swift tasks

    /// Whether a Swift task that waits for something can be told.
    func isDue(_ event: TaskWaiter.Event) -> Bool {
        guard !isStoringCookies, !isStoringCredential, cookies == nil else { return false }
        // What a delegate is told comes first.
        if hasEnded { return !hasSomebodyToTell || delivery.isOver || life.isCompleted }
        switch event {
        case .end: return false
        case .head: return load?.isDelivering ?? false
        case .bytes: return !received.isEmpty
        }
    }

    /// Takes a waiting Swift task and keeps it; or answers what it is to be resumed with at once:
    /// whether it may wait at all, which two at a time may not.
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
        delivery.noteQuestion()
    }

    /// An answer has come. False if it isn't awaited, because there was one before or the task has
    /// ended.
    ///
    /// - Parameter number: Of the question that it answers.
    mutating func takeAnswer(to number: Int) -> Bool {
        guard delivery.answer(to: number) else { return false }
        question = nil
        alarm?.cancel()
        alarm = nil
        return !hasEnded
    }

    // MARK: Steps

    /// What is told next on the delegate queue; `nil`, and the task leaves the line, for nothing.
    mutating func nextStep() -> TaskStep? {
        guard !isStoringCookies, !isStoringCredential, cookies == nil, let session, let task,
            let step = delivery.next()
        else {
            isInLine = false
            return nil
        }
        return TaskStep(
            step: step,
            number: delivery.questionNumber,
            session: session,
            task: task,
            recipients: recipients
        )
    }
}
