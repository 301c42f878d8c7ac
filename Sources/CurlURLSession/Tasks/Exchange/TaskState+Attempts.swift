internal import CurlTransport
internal import Foundation

// The attempts of tasks with an interceptor.

extension TaskState {
    mutating func answer(
        to number: Int,
        attempt result: Result<URLRequest, any Error>,
        _ loadRequest: LoadRequest
    ) {
        guard takeAnswer(to: number) else { return }
        switch result {
        case .failure(let error):
            finish(with: error)
        case .success(let request):
            guard request != loadRequest.request else { return exchange.next = loadRequest }
            var adapted = loadRequest
            adapted.request = request.resolved
            let former = loadRequest.request.state.headerFields
            let names = request.state.headerFields?.names(notIn: former) ?? []
            adapted.adaptedFields = names.isEmpty ? nil : names
            // An upload's body isn't part of its request.
            if !kind.isUpload, request.state.body != loadRequest.request.state.body {
                adapted.body = TaskBody(request.state.body)
            }
            exchange.next = adapted
        }
    }

    // MARK: The end of an attempt

    /// Accepts the attempt's end as the task's end.
    mutating func acceptEnd(answering number: Int) {
        guard delivery.answer(to: number) else { return }
        alarm?.cancel()
        alarm = nil
    }

    /// Resets the state for another attempt; only the metrics are kept. Returns false if it is too
    /// late for one.
    mutating func prepareNextAttempt(answering number: Int) -> Bool {
        guard delivery.answer(to: number), hasEnded, session != nil else { return false }
        alarm?.cancel()
        alarm = nil
        kind.download?.prepareNextAttempt()
        exchange.prepareNextAttempt()
        (error, reason, question) = (nil, nil, nil)
        (counts.received, counts.expectedToReceive) = (0, 0)
        (counts.sent, counts.expectedToSend, counts.sentReported) = (0, 0, 0)
        (interruption.error, interruption.isDue, interruption.resumeData) = (nil, false, nil)
        hasEnded = false
        delivery.noteAnotherAttempt()
        return true
    }

    /// Starts the next attempt.
    mutating func attemptAgain() {
        guard !hasEnded, question == nil, exchange.next == nil else { return }
        let limit = session?.core.settings.resourceLimit
        if let limit, let left = clock.timeLeft(of: limit), left <= .zero {
            let error = TransportError.timedOut(.deadlineExceeded, after: limit, phase: .waiting)
            delivery.asksForDisposition = false
            return finish(with: exchange.urlError(error))
        }
        let wholeRequest = kind.download?.resumeAgain()
        if let delayed = exchange.delayedRequest, kind.upload?.resumeData == nil {
            var loadRequest = loadRequest(ofDelayed: delayed)
            loadRequest.body = loadRequest.body.forAnotherTime
            attempt(loadRequest)
        } else if let wholeRequest {
            attempt(LoadRequest(wholeRequest, body: .none))
        } else {
            attempt(firstLoadRequest())
        }
    }
}
