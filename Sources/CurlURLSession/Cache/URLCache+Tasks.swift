internal import Foundation

// What is stored for a task's request.

extension URLCache {
    /// Stores a response to a task's request: the current one, which a redirect may have led to.
    public func storeCachedResponse(
        _ cachedResponse: CachedURLResponse,
        for dataTask: URLSessionDataTask
    ) {
        guard let request = dataTask.cacheableRequest else { return }
        storeCachedResponse(cachedResponse, for: request)
    }

    /// Looks up what is stored for a task's request.
    ///
    /// - Parameter completionHandler: Called before this returns; with `nil` for nothing.
    public func getCachedResponse(
        for dataTask: URLSessionDataTask,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(dataTask.cacheableRequest.flatMap { cachedResponse(for: $0) })
    }

    /// Removes what is stored for a task's request.
    public func removeCachedResponse(for dataTask: URLSessionDataTask) {
        guard let request = dataTask.cacheableRequest else { return }
        removeCachedResponse(for: request)
    }
}

extension URLSessionDataTask {
    /// What a response of this task is stored under: the request that it answers.
    fileprivate var cacheableRequest: URLRequest? { currentRequest ?? originalRequest }
}
