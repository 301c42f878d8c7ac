public import Foundation

/// What a session tells of its download tasks.
///
/// Nothing of this is told of tasks that have a completion handler, or are an asynchronous method's.
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
    /// The content is complete, in a file. The metrics and the completion follow.
    ///
    /// - Parameter location: The file, which is removed when the method returns. Move it, or open it.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    )

    /// Bytes were written to the file.
    ///
    /// - Parameters:
    ///   - bytesWritten: How many, since this was told last.
    ///   - totalBytesWritten: How many in all, those of a download that was resumed included.
    ///   - totalBytesExpectedToWrite: How many there will be; -1 where that isn't known.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    )

    /// A download goes on where another one was cancelled or has failed. Told before any progress.
    ///
    /// - Parameters:
    ///   - fileOffset: How many bytes were there already; 0 where all of it comes anew, because the
    ///     content has changed or the server sends no parts.
    ///   - expectedTotalBytes: How many there will be; -1 where that isn't known.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    )
}

extension URLSessionDownloadDelegate {
    /// Tells the session's delegate.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        session.downloadDelegate(after: self)?.urlSession(
            session,
            downloadTask: downloadTask,
            didWriteData: bytesWritten,
            totalBytesWritten: totalBytesWritten,
            totalBytesExpectedToWrite: totalBytesExpectedToWrite
        )
    }

    /// Tells the session's delegate.
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        session.downloadDelegate(after: self)?.urlSession(
            session,
            downloadTask: downloadTask,
            didResumeAtOffset: fileOffset,
            expectedTotalBytes: expectedTotalBytes
        )
    }
}
