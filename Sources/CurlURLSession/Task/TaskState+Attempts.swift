internal import CurlTransport
internal import Foundation

// Attempts of tasks with an interceptor: where they begin, and how one follows another.

extension TaskState {
    /// Has a plan loaded, as the interceptor wants it, if there is one.
    mutating func attempt(_ plan: LoadPlan?) {
        if let plan, interceptor != nil { ask(.attempt(plan)) } else { next = plan }
    }

    mutating func answer(
        to number: Int,
        attempt result: Result<URLRequest, any Error>,
        _ plan: LoadPlan
    ) {
        guard takeAnswer(to: number) else { return }
        switch result {
        case .failure(let error):
            finish(with: error)
        case .success(let request):
            guard request != plan.request else { return next = plan }
            var adapted = plan
            adapted.request = request
            let former = plan.request.state.headerFields
            let names = request.state.headerFields?.names(notIn: former) ?? []
            adapted.adaptedFields = names.isEmpty ? nil : names
            // What an upload sends isn't in its request.
            if kind != .upload, request.state.body != plan.request.state.body {
                adapted.body = TaskBody(request.state.body)
            }
            next = adapted
        }
    }

    // MARK: The end

    /// The attempt's end is the task's.
    mutating func acceptEnd(answering number: Int) {
        guard delivery.answer(to: number) else { return }
        alarm?.cancel()
        alarm = nil
    }

    /// Nothing is left of the attempt but its metrics. False if it is too late for another one.
    mutating func beginAnew(answering number: Int) -> Bool {
        guard delivery.answer(to: number), hasEnded, session != nil else { return false }
        alarm?.cancel()
        alarm = nil
        discardFile()
        load = nil
        (error, reason, question, next, proposal) = (nil, nil, nil, nil, nil)
        (madeResponse, finishedFile, isSealing) = (nil, nil, false)
        (received, isWindowFull, informationalHeads) = (Data(), false, [])
        (counts.received, counts.expectedToReceive, counts.writtenToldOf) = (0, 0, 0)
        (counts.sent, counts.expectedToSend, counts.sentToldOf) = (0, 0, 0)
        (interruption.error, interruption.isDue, interruption.resumeData) = (nil, false, nil)
        (redirectCount, hasRestarted) = (0, false)
        authentication = AuthenticationHistory()
        connectivity = ConnectivityWait()
        hasEnded = false
        delivery.noteAnotherAttempt()
        return true
    }

    /// What the attempt has written. What was there before it, the next one goes on with.
    private mutating func discardFile() {
        guard let file = file.take() else { return }
        if let former = resumedFrom, !isResumptionVoid, file.url == former.file {
            file.abandon()
        } else {
            file.discard()
        }
    }

    /// Begins the next attempt.
    mutating func attemptAgain() {
        guard !hasEnded, question == nil, next == nil else { return }
        let limit = session?.core.settings.resourceLimit
        if let limit, let left = timeLeft(of: limit), left <= .zero {
            let error = TransportError.timedOut(.deadlineExceeded, after: limit, phase: .waiting)
            delivery.asksForVerdict = false
            return finish(with: urlError(error))
        }
        if let delayed, upload == nil {
            var plan = plan(ofDelayed: delayed)
            plan.body = plan.body.forAnotherTime
            resumption = isResumptionVoid ? nil : resumedFrom
            return attempt(plan)
        }
        guard let former = resumedFrom else {
            resumption = nil
            return attempt(firstPlan())
        }
        if isResumptionVoid {
            resumption = nil
            attempt(LoadPlan(SharedRequest(former.wholeRequest), body: .none))
        } else {
            resumption = former
            attempt(firstPlan())
        }
    }

    /// Whether the body can be sent once more without anybody's help.
    var hasRepeatableBody: Bool {
        switch body {
        case .none, .data, .file, .fileRest: true
        case .stream(let stream): stream.isRestartable
        case .asked: original?.value.state.body.isRestartable ?? false
        }
    }
}
