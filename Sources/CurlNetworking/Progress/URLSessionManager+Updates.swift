public import CurlURLSession

extension URLSessionManager {
    /// How far a task comes with its request's body, from now on: the latest news for whoever asks, and
    /// the end when the task is over. At once, for a task that is over or isn't of this manager.
    ///
    /// ```swift
    /// for await amount in manager.uploadProgressUpdates(for: task) {
    ///     print(amount.fractionCompleted)
    /// }
    /// ```
    public func uploadProgressUpdates(for task: URLSessionTask) -> AsyncStream<TransferAmount> {
        updates(for: task) { $0.addUploadUpdates($1) }
    }

    /// How far a task comes with its response's body; see ``uploadProgressUpdates(for:)``.
    public func downloadProgressUpdates(for task: URLSessionTask) -> AsyncStream<TransferAmount> {
        updates(for: task) { $0.addDownloadUpdates($1) }
    }

    private func updates(
        for task: URLSessionTask,
        _ add: (URLSessionManagerTaskDelegate, AsyncStream<TransferAmount>.Continuation) -> Void
    ) -> AsyncStream<TransferAmount> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TransferAmount.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        if let delegate = URLSessionManagerTaskDelegate.of(task, core) {
            add(delegate, continuation)
        } else {
            continuation.finish()
        }
        return stream
    }
}
