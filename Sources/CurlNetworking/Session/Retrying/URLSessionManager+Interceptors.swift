public import CurlURLSession
internal import Foundation

extension URLSessionManager {
    /// Adapts requests and retries attempts of all tasks; `nil` by default.
    ///
    /// It applies to tasks that the manager's methods create afterwards.
    ///
    /// With an interceptor, a response is serialized before the task completes, that is, before the
    /// manager calls the handlers of ``setDownloadTaskDidFinishDownloading(_:)``,
    /// ``setTaskDidFinishCollectingMetrics(_:)`` and ``setTaskDidComplete(_:)``.
    public var interceptor: (any RequestInterceptor)? {
        get { core.read(\.interceptor) }
        set { core.change(\.interceptor, to: newValue) }
    }

    /// Sets an interceptor of one task, which runs after the manager's ``interceptor``.
    ///
    /// Set it before the task is resumed; `nil` keeps only the manager's.
    ///
    /// Methods that are named after an HTTP method resume their tasks themselves. Use
    /// `dataTask(withHTTPMethod:…)` of ``HTTPSessionManager`` instead, or an asynchronous method with
    /// an interceptor.
    public func setInterceptor(
        _ interceptor: (any RequestInterceptor)?,
        for task: URLSessionTask
    ) {
        guard let delegate = URLSessionManagerTaskDelegate.of(task, core) else { return }
        delegate.setInterceptor(self.interceptor(for: task.originalRequest, own: interceptor))
        task.setInterceptor(delegate.interceptor)
    }

    /// Joins the manager's interceptor with a task's own.
    ///
    /// If the manager refuses the request, the interceptor fails each attempt.
    ///
    /// - Parameter request: The task's request; `nil` for resume data.
    func interceptor(
        for request: URLRequest?,
        own: (any RequestInterceptor)?
    ) -> (any RequestInterceptor)? {
        let joined = Interceptor.joined(core.read(\.interceptor), own)
        guard let refusal = request.flatMap({ refusal(of: $0) }) else { return joined }
        return Interceptor.joined(Adapter { _, _ in throw refusal }, joined)
    }
}
