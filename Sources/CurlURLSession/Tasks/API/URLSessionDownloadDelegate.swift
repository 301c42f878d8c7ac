public import Foundation

/// The delegate methods for download tasks.
///
/// The session doesn't call them for tasks with a completion handler.
///
/// For an asynchronous method, the delegate that the method was called with gets the progress, as in
/// FoundationNetworking, but not the file, which the method returns. The session's delegate gets
/// neither. Apple's URLSession calls neither.
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
    /// Called when the whole body is in a file. Metrics and completion follow.
    ///
    /// - Parameter location: The file, which is removed when the method returns. Move it or open
    ///   it.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    )

    /// Called when bytes were written to the file.
    ///
    /// - Parameters:
    ///   - bytesWritten: The number since the last call.
    ///   - totalBytesWritten: The number in all, including those of a resumed download.
    ///   - totalBytesExpectedToWrite: The expected total; -1 if unknown.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    )

    /// Called when a download resumes one that was cancelled or has failed.
    ///
    /// The call comes before any progress.
    ///
    /// - Parameters:
    ///   - fileOffset: The number of bytes that were already there. It is 0 if the download
    ///     restarts, because the content has changed or the server doesn't support ranges.
    ///   - expectedTotalBytes: The expected total; -1 if unknown.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    )
}

extension URLSessionDownloadDelegate {
    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        session.downloadDelegate(after: self, of: downloadTask)?.urlSession(
            session,
            downloadTask: downloadTask,
            didWriteData: bytesWritten,
            totalBytesWritten: totalBytesWritten,
            totalBytesExpectedToWrite: totalBytesExpectedToWrite
        )
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        session.downloadDelegate(after: self, of: downloadTask)?.urlSession(
            session,
            downloadTask: downloadTask,
            didResumeAtOffset: fileOffset,
            expectedTotalBytes: expectedTotalBytes
        )
    }
}
