public import CurlURLSession

extension URLSessionManager {
    /// Changes the requests of all tasks, and decides whether those that failed are tried again; `nil`, the
    /// default, for neither. Counts for tasks that are created from then on by the manager's methods.
    ///
    /// With an interceptor, a response is serialized before the task is known to be over, that is, before
    /// the handlers of ``setDownloadTaskDidFinishDownloading(_:)``,
    /// ``setTaskDidFinishCollectingMetrics(_:)`` and ``setTaskDidComplete(_:)`` are called.
    public var interceptor: (any RequestInterceptor)? {
        get { core.read(\.interceptor) }
        set { core.change(\.interceptor, to: newValue) }
    }

    /// Has one task intercepted, after the manager's ``interceptor``. To be set before the task is resumed;
    /// `nil` for that of the manager alone.
    ///
    /// The methods that are named after a verb resume their tasks themselves: use
    /// ``HTTPSessionManager/dataTask(withHTTPMethod:urlString:parameters:headers:uploadProgress:downloadProgress:success:failure:)``,
    /// or an asynchronous method with an interceptor.
    public func setInterceptor(
        _ interceptor: (any RequestInterceptor)?,
        for task: URLSessionTask
    ) {
        guard let delegate = URLSessionManagerTaskDelegate.of(task, core) else { return }
        delegate.setInterceptor(Interceptor.joined(core.read(\.interceptor), interceptor))
        task.setInterceptor(delegate.interceptor)
    }
}
