public import CurlURLSession

extension URLSessionManager {
    /// The progress of a task's request body, as a sequence.
    ///
    /// The sequence starts now and buffers only the newest amount. It ends when the task completes.
    /// It ends at once for a completed task, or one of another manager.
    ///
    /// ```swift
    /// for await amount in manager.uploadProgressUpdates(for: task) {
    ///     print(amount.fractionCompleted)
    /// }
    /// ```
    public func uploadProgressUpdates(for task: URLSessionTask) -> AsyncStream<ByteProgress> {
        updates(for: task) { $0.addUploadUpdates($1) }
    }

    /// The progress of a task's response body; see ``uploadProgressUpdates(for:)``.
    public func downloadProgressUpdates(for task: URLSessionTask) -> AsyncStream<ByteProgress> {
        updates(for: task) { $0.addDownloadUpdates($1) }
    }

    private func updates(
        for task: URLSessionTask,
        _ add: (URLSessionManagerTaskDelegate, AsyncStream<ByteProgress>.Continuation) -> Void
    ) -> AsyncStream<ByteProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ByteProgress.self,
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
