/// A task's delegate that is told, too, when the task's owner lets it run and holds it.
///
/// Told on the thread of whoever calls `resume()` or `suspend()`. A task that is let run for the first
/// time begins afterwards.
package protocol URLSessionTaskObserver: Sendable {
    /// `resume()` was called of a task that wasn't running.
    func taskDidResume(_ task: URLSessionTask)

    /// `suspend()` was called of a task that wasn't suspended.
    func taskDidSuspend(_ task: URLSessionTask)

    /// Who has a say in each of the task's attempts; `nil` for nobody. Asked when the delegate is set.
    var interceptor: (any URLSessionTaskInterceptor)? { get }
}

extension URLSessionTaskObserver {
    /// Nobody.
    package var interceptor: (any URLSessionTaskInterceptor)? { nil }
}
