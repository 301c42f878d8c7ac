internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// Calls the success or the failure handler with a task's outcome.
final class SuccessFailureHandler: Sendable {
    private struct State: Sendable {
        /// Weak, since the task retains this object through its delegate. The caller of the
        /// completion retains the task.
        weak var task: URLSessionDataTask?
    }

    private let success: HTTPSessionManager.SuccessHandler?
    private let failure: HTTPSessionManager.FailureHandler?
    private let state = Mutex(State())

    init(
        success: HTTPSessionManager.SuccessHandler?,
        failure: HTTPSessionManager.FailureHandler?
    ) {
        self.success = success
        self.failure = failure
    }

    var task: URLSessionDataTask? {
        get { state.withLock { $0.task } }
        set { state.withLock { $0.task = newValue } }
    }

    /// The completion handler; `nil` if there are no handlers.
    var handler: URLSessionManager.CompletionHandler? {
        guard success != nil || failure != nil else { return nil }
        return { [self] _, object, error in
            let task = task
            if let error {
                failure?(task, error)
            } else if let task {
                success?(task, object)
            }
        }
    }
}
