internal import CurlURLSession
internal import Foundation

// Steps before and after each attempt of a task with an interceptor.

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
                core.notify(.didAdapt(task, request: request, adapted: adapted))
                completionHandler(.success(adapted))
            } catch {
                core.notify(.didFailToAdapt(task, request: request, error: error))
                completionHandler(.failure(error))
            }
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didEndAttemptWithError error: (any Error)?,
        completionHandler: @escaping @Sendable (AttemptDisposition) -> Void
    ) {
        guard let interception else { return completionHandler(.complete) }
        // Body data that was already delivered can't be withdrawn.
        guard !taskOptions.handsOutBody || task.response == nil else {
            return completionHandler(.complete)
        }
        if let error = refusal ?? error {
            return decide(task, error, interception, completionHandler)
        }
        let (body, serializer) = (task.collectedBody, serializer)
        ProcessingQueue.shared.async { [self] in
            let outcome = core.serialized(task, data: body, serializer: serializer)
            interception.noteSerialized(outcome)
            guard let error = outcome.error else { return completionHandler(.complete) }
            decide(task, error, interception, completionHandler)
        }
    }

    /// Calls the interceptor to decide whether there is another attempt.
    private func decide(
        _ task: URLSessionTask,
        _ error: any Error,
        _ interception: TaskInterception,
        _ answer: @escaping @Sendable (AttemptDisposition) -> Void
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
                // A reader that waits for the head receives this error before the task completes.
                if taskOptions.isRead { noteRefusal(because: replacement) }
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
        _ answer: @Sendable (AttemptDisposition) -> Void
    ) {
        let delay = delay > 0 ? delay : 0
        // If the task has already completed, this attempt's result is its outcome.
        let begin: @Sendable () -> Void = { [self] in
            guard interception.noteRetry() else { return }
            prepareNextAttempt()
            core.notify(.willRetry(task, error: error, delay: delay))
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
    /// Whether the body can be sent again.
    ///
    /// A stream must be restartable or copyable, or a handler must provide a new one. A sequence
    /// must be restartable, unless it wasn't begun.
    fileprivate func canRepeatBody(of task: URLSessionTask) -> Bool {
        if task.hasRepeatableBody { return true }
        guard task.mayGetBodyStream else { return false }
        return task.originalRequest?.httpBodyStream is any NSCopying
            || handler { $0.taskNeedsBodyStream } != nil
    }
}
