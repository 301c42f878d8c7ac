internal import Foundation
internal import Synchronization

// Attempts of tasks with an interceptor: what is asked before and after each.

extension TaskCore {
    func setInterceptor(_ interceptor: (any URLSessionTaskInterceptor)?) {
        let former = state.withLock { state in
            defer { state.interceptor = interceptor }
            return state.interceptor
        }
        extendLifetime(former)
    }

    /// Asks what is to be sent.
    func ask(aboutAttempt plan: LoadPlan, _ step: TaskStep) {
        guard let interceptor = state.withLock({ $0.interceptor }) else {
            return answer(to: step.number, attempt: .success(plan.request), plan)
        }
        interceptor.urlSession(
            step.session,
            task: step.task,
            willAttempt: plan.request
        ) { [self, number = step.number] result in
            answer(to: number, attempt: result, plan)
        }
    }

    func answer(
        to number: Int,
        attempt result: Result<URLRequest, any Error>,
        _ plan: LoadPlan
    ) {
        state.withLock { $0.answer(to: number, attempt: result, plan) }
        advance()
    }

    // MARK: The end

    /// Asks whether it is the end.
    func askForVerdict(_ step: TaskStep) {
        let (interceptor, error) = state.withLock { ($0.interceptor, $0.error) }
        guard let interceptor else { return answer(to: step.number, verdict: .complete) }
        interceptor.urlSession(
            step.session,
            task: step.task,
            didEndAttemptWithError: error
        ) { [self, number = step.number] verdict in
            answer(to: number, verdict: verdict)
        }
        endVerdictInTime(step)
    }

    /// Who thinks for longer than the whole task may take has no say any more.
    private func endVerdictInTime(_ step: TaskStep) {
        let limit = step.session.core.settings.resourceLimit
        let left = state.withLock { state in
            state.delivery.isAwaitingAnswer ? state.timeLeft(of: limit) : nil
        }
        guard let left else { return }
        setAlarm(after: left.timeInterval, aboutQuestion: step.number) {
            [number = step.number] task in
            task.answer(to: number, verdict: .complete)
        }
    }

    private func answer(to number: Int, verdict: TaskVerdict) {
        switch verdict {
        case .complete:
            state.withLock { $0.acceptEnd(answering: number) }
        case .retry(let delay, let whenAccepted):
            // The former load is let go of outside of the lock.
            let (isInTime, former) = state.withLock { state in
                let former = state.load
                return (state.beginAnew(answering: number), former)
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
            state.timeLeft(of: state.session?.core.settings.resourceLimit)
        }
        setAlarm(after: min(seconds, limit?.timeInterval ?? .infinity)) { task in
            task.state.withLock { $0.attemptAgain() }
            task.advance()
        }
    }
}
