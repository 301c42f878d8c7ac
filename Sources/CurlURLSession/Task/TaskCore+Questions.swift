internal import CurlTransport
internal import Foundation
internal import Synchronization

// What the delegate is asked, and what its answers do. Each answer may come on any thread; the first
// counts.

extension TaskCore {
    /// Asks the question that is open, on the delegate queue.
    func ask(_ step: TaskStep) {
        guard let question = state.withLock({ $0.question }) else { return }
        switch question {
        case .redirect(let request, let way): ask(aboutRedirectTo: request, way, step)
        case .challenge(let round): ask(round, step)
        case .loadersChallenge(let challenge): ask(challenge, step)
        case .trust(let trust): ask(trust, step)
        case .clientCertificate(let error): askForCertificate(error, step)
        case .bodyStream(let plan): askForStream(plan, step)
        case .delayedRequest: askAboutDelayed(step)
        }
        watchTimeLimit(step)
    }

    /// Does what is usual, where nobody is there to be asked.
    func decide(_ question: TaskQuestion) {
        switch question {
        case .redirect(let request, let way):
            answer(redirect: request, way)
        case .challenge(let round):
            answerAsUsual(round)
        case .loadersChallenge(let challenge):
            answer(challenge, .performDefaultHandling, nil)
        case .trust:
            answer(trust: .useVerdict)
        case .clientCertificate(let error):
            answer(identity: nil, error)
        case .bodyStream(let plan):
            answer(bodyStream: nil, plan)
        case .delayedRequest:
            answer(.continueLoading, nil)
        }
    }

    /// A delegate that thinks for longer than the whole task may take has no say any more. While a
    /// transfer waits for it, the engine sees to that.
    func watchTimeLimit(_ step: TaskStep) {
        let limit = step.session.core.settings.resourceLimit
        let left = state.withLock { state in
            state.delivery.isAwaitingAnswer ? state.timeLeft(of: limit) : nil
        }
        guard let limit, let left else { return }
        setAlarm(after: left.timeInterval) { task in
            let error = TransportError.timedOut(.deadlineExceeded, after: limit, phase: .waiting)
            task.stop(because: task.state.withLock { $0.urlError(error) })
        }
    }

    // MARK: Redirects

    private func ask(
        aboutRedirectTo request: URLRequest,
        _ way: RedirectedWay,
        _ step: TaskStep
    ) {
        let response = state.withLock { $0.load?.currentResponse } as? HTTPURLResponse
        guard let response, let delegate = step.recipients.task else {
            return answer(redirect: request, way)
        }
        delegate.urlSession(
            step.session,
            task: step.task,
            willPerformHTTPRedirection: response,
            newRequest: request
        ) { [self] request in
            answer(redirect: request, way)
        }
    }

    private func answer(redirect request: URLRequest?, _ way: RedirectedWay) {
        state.withLock { $0.answer(redirect: request, way) }
        advance()
    }

    // MARK: Bodies

    private func askForStream(_ plan: LoadPlan, _ step: TaskStep) {
        guard let delegate = step.recipients.task else { return answer(bodyStream: nil, plan) }
        delegate.urlSession(
            step.session,
            task: step.task,
            needNewBodyStream: { [self] stream in
                answer(bodyStream: stream.map { BodyStream(stream: $0) }, plan)
            }
        )
    }

    private func answer(bodyStream stream: BodyStream?, _ plan: LoadPlan) {
        state.withLock { $0.answer(bodyStream: stream, for: plan) }
        advance()
    }

    // MARK: Delayed requests

    private func askAboutDelayed(_ step: TaskStep) {
        guard let delegate = step.recipients.task, let request = step.task.originalRequest else {
            return answer(.continueLoading, nil)
        }
        delegate.urlSession(
            step.session,
            task: step.task,
            willBeginDelayedRequest: request
        ) { [self] disposition, request in
            answer(disposition, request)
        }
    }

    private func answer(
        _ disposition: URLSession.DelayedRequestDisposition,
        _ request: URLRequest?
    ) {
        state.withLock { state in
            switch disposition {
            case .continueLoading: state.answer(delayedRequest: state.originalRequest)
            case .useNewRequest: state.answer(delayedRequest: request ?? state.originalRequest)
            case .cancel: state.answer(delayedRequest: nil)
            }
        }
        advance()
    }

    // MARK: Responses

    func answer(_ disposition: URLSession.ResponseDisposition) {
        switch disposition {
        case .allow:
            _ = state.withLock { $0.allowContent() }
        case .cancel:
            if state.withLock({ $0.allowContent() }) { cancel() }
        case .becomeDownload:
            let download = URLSessionDownloadTask(core: self)
            state.withLock { $0.becomeDownload(download) }
        }
        advance()
    }
}
