internal import CurlTransport
internal import Foundation
internal import Synchronization

// Questions to the delegate, and the effects of its answers. An answer may come on any thread; the
// first one counts.

extension TaskCore {
    /// Asks the delegate the current question, on the delegate queue.
    func ask(_ step: TaskStep) {
        guard let question = state.withLock({ $0.question }) else { return }
        switch question {
        case .redirect(let request, let effects): ask(aboutRedirectTo: request, effects, step)
        case .challenge(let round): ask(round, step)
        case .loadersChallenge(let challenge): ask(challenge, step)
        case .trust(let trust): ask(trust, step)
        case .clientCertificate(let error): askForCertificate(error, step)
        case .bodyStream(let loadRequest): askForStream(loadRequest, step)
        case .delayedRequest: askAboutDelayed(step)
        case .attempt(let loadRequest): ask(aboutAttempt: loadRequest, step)
        }
        watchTimeout(step)
    }

    /// Answers a question with the default, because there is no delegate.
    func decide(_ question: TaskQuestion, _ number: Int) {
        switch question {
        case .redirect(let request, let effects):
            answer(to: number, redirect: effects.usualAnswer(request), effects)
        case .challenge(let round):
            answerAsUsual(to: number, round)
        case .loadersChallenge(let challenge):
            answer(to: number, challenge, .performDefaultHandling, nil)
        case .trust:
            answer(to: number, trust: .performDefaultHandling)
        case .clientCertificate(let error):
            answer(to: number, identity: nil, error)
        case .bodyStream(let loadRequest):
            answer(to: number, bodyStream: nil, loadRequest)
        case .delayedRequest:
            answer(to: number, .continueLoading, nil)
        case .attempt(let loadRequest):
            answer(to: number, attempt: .success(loadRequest.request), loadRequest)
        }
    }

    /// Fails the task if the delegate hasn't answered within the task's timeout. While a transfer
    /// waits for the answer, the transport enforces the timeout.
    func watchTimeout(_ step: TaskStep) {
        let limit = step.session.core.settings.resourceLimit
        let left = state.withLock { state in
            state.delivery.isAwaitingAnswer ? state.clock.timeLeft(of: limit) : nil
        }
        guard let limit, let left else { return }
        setAlarm(after: left.timeInterval, aboutQuestion: step.number) { task in
            let error = TransportError.timedOut(.deadlineExceeded, after: limit, phase: .waiting)
            task.stop(because: task.state.withLock { $0.exchange.urlError(error) })
        }
    }

    // MARK: Redirects

    private func ask(
        aboutRedirectTo request: URLRequest,
        _ effects: RedirectEffects,
        _ step: TaskStep
    ) {
        let response = state.withLock { $0.exchange.load?.currentResponse } as? HTTPURLResponse
        guard let response, let delegate = step.delegates.task else {
            return answer(to: step.number, redirect: effects.usualAnswer(request), effects)
        }
        delegate.urlSession(
            step.session,
            task: step.task,
            willPerformHTTPRedirection: response,
            newRequest: request
        ) { [self, number = step.number] request in
            answer(to: number, redirect: request, effects)
        }
    }

    private func answer(to number: Int, redirect request: URLRequest?, _ effects: RedirectEffects) {
        state.withLock { $0.answer(to: number, redirect: request, effects) }
        advance()
    }

    // MARK: Bodies

    private func askForStream(_ loadRequest: LoadRequest, _ step: TaskStep) {
        guard let delegate = step.delegates.task else {
            return answer(to: step.number, bodyStream: nil, loadRequest)
        }
        delegate.urlSession(
            step.session,
            task: step.task,
            needNewBodyStream: { [self, number = step.number] stream in
                answer(to: number, bodyStream: stream.map { BodyStream(stream: $0) }, loadRequest)
            }
        )
    }

    private func answer(
        to number: Int,
        bodyStream stream: BodyStream?,
        _ loadRequest: LoadRequest
    ) {
        state.withLock { $0.answer(to: number, bodyStream: stream, for: loadRequest) }
        advance()
    }

    // MARK: Delayed requests

    private func askAboutDelayed(_ step: TaskStep) {
        guard let delegate = step.delegates.task, let request = step.task.originalRequest else {
            return answer(to: step.number, .continueLoading, nil)
        }
        delegate.urlSession(
            step.session,
            task: step.task,
            willBeginDelayedRequest: request
        ) { [self, number = step.number] disposition, request in
            answer(to: number, disposition, request)
        }
    }

    private func answer(
        to number: Int,
        _ disposition: URLSession.DelayedRequestDisposition,
        _ request: URLRequest?
    ) {
        state.withLock { state in
            let original = state.exchange.originalRequest
            switch disposition {
            case .continueLoading: state.answer(to: number, delayedRequest: original)
            case .useNewRequest: state.answer(to: number, delayedRequest: request ?? original)
            case .cancel: state.answer(to: number, delayedRequest: nil)
            }
        }
        advance()
    }

    // MARK: Responses

    private var noStream: URLError {
        URLError(
            .unknown,
            url: state.withLock { $0.exchange.currentRequest?.url },
            reason: "a data task can't become a stream task over libcurl, which keeps a request's "
                + "connection to itself; use a stream task from the beginning.",
            underlying: TransportError.unsupportedFeature(
                "the connection of a request can't be taken over"
            )
        )
    }

    func answer(to number: Int, _ disposition: URLSession.ResponseDisposition) {
        switch disposition {
        case .becomeDownload where !isAwaited:
            let download = URLSessionDownloadTask(core: self)
            state.withLock { $0.becomeDownload(download, answering: number) }
        case .becomeStream where !isAwaited:
            let error = noStream
            state.withLock { $0.refuseContent(because: error, answering: number) }?.cancel()
        case .cancel:
            if state.withLock({ $0.allowContent(answering: number) }) { cancel() }
        case .allow, .becomeDownload, .becomeStream:
            _ = state.withLock { $0.allowContent(answering: number) }
        }
        advance()
    }
}
