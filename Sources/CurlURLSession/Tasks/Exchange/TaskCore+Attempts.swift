internal import Foundation
internal import Synchronization

// Attempts of tasks with an interceptor: the questions before and after each.

extension TaskCore {
    func setInterceptor(_ interceptor: (any URLSessionTaskInterceptor)?) {
        let former = state.withLock { state in
            defer { state.ownDelegate.interceptor = interceptor }
            return state.ownDelegate.interceptor
        }
        extendLifetime(former)
    }

    /// Asks the interceptor for the request to send.
    func ask(aboutAttempt loadRequest: LoadRequest, _ step: TaskStep) {
        guard let interceptor = state.withLock({ $0.ownDelegate.interceptor }) else {
            return answer(to: step.number, attempt: .success(loadRequest.request), loadRequest)
        }
        interceptor.urlSession(
            step.session,
            task: step.task,
            willAttempt: loadRequest.request
        ) { [self, number = step.number] result in
            answer(to: number, attempt: result, loadRequest)
        }
    }

    func answer(
        to number: Int,
        attempt result: Result<URLRequest, any Error>,
        _ loadRequest: LoadRequest
    ) {
        state.withLock { $0.answer(to: number, attempt: result, loadRequest) }
        advance()
    }

    // MARK: The end of an attempt

    /// Asks the interceptor whether the attempt's end is the task's end.
    func askForDisposition(_ step: TaskStep) {
        let (interceptor, error) = state.withLock { ($0.ownDelegate.interceptor, $0.error) }
        guard let interceptor else { return answer(to: step.number, disposition: .complete) }
        interceptor.urlSession(
            step.session,
            task: step.task,
            didEndAttemptWithError: error
        ) { [self, number = step.number] disposition in
            answer(to: number, disposition: disposition)
        }
        setDispositionTimeout(step)
    }

    /// Completes the task if the interceptor hasn't answered within the task's timeout.
    private func setDispositionTimeout(_ step: TaskStep) {
        let limit = step.session.core.settings.resourceLimit
        let left = state.withLock { state in
            state.delivery.isAwaitingAnswer ? state.clock.timeLeft(of: limit) : nil
        }
        guard let left else { return }
        setAlarm(after: left.timeInterval, aboutQuestion: step.number) {
            [number = step.number] task in
            task.answer(to: number, disposition: .complete)
        }
    }

    private func answer(to number: Int, disposition: AttemptDisposition) {
        switch disposition {
        case .complete:
            state.withLock { $0.acceptEnd(answering: number) }
        case .retry(let delay, let whenAccepted):
            // The former load is released outside of the lock.
            let (isInTime, former) = state.withLock { state in
                let former = state.exchange.load
                return (state.prepareNextAttempt(answering: number), former)
            }
            extendLifetime(former)
            guard isInTime else { break }
            whenAccepted?()
            attempt(after: delay)
        }
        advance()
    }

    private func attempt(after seconds: TimeInterval) {
        updateProgress()
        guard seconds > 0 else { return state.withLock { $0.attemptAgain() } }
        let limit = state.withLock { state in
            state.clock.timeLeft(of: state.session?.core.settings.resourceLimit)
        }
        setAlarm(after: min(seconds, limit?.timeInterval ?? .infinity)) { task in
            task.state.withLock { $0.attemptAgain() }
            task.advance()
        }
    }
}
