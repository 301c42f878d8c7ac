internal import CurlURLSession
internal import Foundation

// What comes before and after each attempt of a task with an interceptor.

extension URLSessionManagerTaskDelegate: URLSessionTaskInterceptor {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willAttempt request: URLRequest,
        completionHandler: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        guard let interception else { return completionHandler(.success(request)) }
        let attempt = attempt(of: task, interception)
        if attempt.retryCount > 0 { restartProgress() }
        interception.ask { [core] in
            do {
                let adapted = try await interception.interceptor.adapt(request, for: attempt)
                core.tellDidAdapt(task, request, to: adapted)
                completionHandler(.success(adapted))
            } catch {
                core.tellDidFailToAdapt(task, request, error)
                completionHandler(.failure(error))
            }
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didEndAttemptWithError error: (any Error)?,
        completionHandler: @escaping @Sendable (TaskVerdict) -> Void
    ) {
        guard let interception else { return completionHandler(.complete) }
        // What was handed out can't be taken back.
        guard !wishes.handsOutBody || task.response == nil else {
            return completionHandler(.complete)
        }
        let end = endOfAttempt
        if let error = end.challengeError ?? error {
            return decide(task, error, interception, completionHandler)
        }
        ProcessingQueue.shared.async { [self] in
            let outcome = core.serialized(task, data: end.data, serializer: end.serializer)
            interception.noteSerialized(outcome)
            guard let error = outcome.error else { return completionHandler(.complete) }
            decide(task, error, interception, completionHandler)
        }
    }

    /// Asks whether there is another attempt.
    private func decide(
        _ task: URLSessionTask,
        _ error: any Error,
        _ interception: TaskInterception,
        _ answer: @escaping @Sendable (TaskVerdict) -> Void
    ) {
        guard core.canRepeatBody(of: task) else { return answer(.complete) }
        let attempt = attempt(of: task, interception)
        interception.ask { [self] in
            let result = await interception.interceptor.retry(attempt, dueTo: error)
            guard !Task.isCancelled else { return answer(.complete) }
            switch result {
            case .doNotRetry:
                answer(.complete)
            case .doNotRetryWithError(let replacement):
                interception.noteReplacement(of: replacement)
                // Whoever waits for the head is told before the task's end is.
                if wishes.isRead { noteRefusal(because: replacement) }
                answer(.complete)
            case .retry:
                retry(task, error, after: 0, interception, answer)
            case .retryWithDelay(let delay):
                retry(task, error, after: delay, interception, answer)
            }
        }
    }

    private func retry(
        _ task: URLSessionTask,
        _ error: any Error,
        after delay: TimeInterval,
        _ interception: TaskInterception,
        _ answer: @Sendable (TaskVerdict) -> Void
    ) {
        let delay = delay > 0 ? delay : 0
        // Too late, what there is of the attempt is the task's outcome.
        let begin: @Sendable () -> Void = { [self] in
            guard interception.noteRetry() else { return }
            beginAnew()
            core.tellWillRetry(task, dueTo: error, after: delay)
        }
        answer(.retry(after: delay, whenAccepted: begin))
    }

    private func attempt(
        of task: URLSessionTask,
        _ interception: TaskInterception
    ) -> RequestAttempt {
        RequestAttempt(
            manager: manager,
            task: task,
            retryCount: interception.retryCount
        )
    }
}

extension ManagerCore {
    /// Whether all that a task has sent can be sent once more: a stream has to begin again, or be copied, or
    /// somebody has to have another one.
    fileprivate func canRepeatBody(of task: URLSessionTask) -> Bool {
        task.hasRepeatableBody || task.originalRequest?.httpBodyStream is any NSCopying
            || handler { $0.taskNeedsBodyStream } != nil
    }
}
