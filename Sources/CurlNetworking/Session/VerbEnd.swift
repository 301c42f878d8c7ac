internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// Tells how a task came out to one of two handlers, along with the task.
final class VerbEnd: Sendable {
    private struct State: Sendable {
        /// The task has this by way of its delegate; whoever calls the completion holds it.
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

    /// A completion handler; `nil` where nobody wants to be told.
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
