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

    /// A task whose content is read as it comes is over, be it that not all of it was read yet. Told on
    /// the delegate queue, after the metrics.
    func task(_ task: URLSessionTask, of session: URLSession, wasLoadedWith error: (any Error)?)
}

extension URLSessionTaskObserver {
    /// Nobody.
    package var interceptor: (any URLSessionTaskInterceptor)? { nil }

    /// Does nothing.
    package func task(
        _ task: URLSessionTask,
        of session: URLSession,
        wasLoadedWith error: (any Error)?
    ) {}
}
