public import CurlURLSession
public import Foundation

// What a manager's handlers look like. All of them are called on the manager's operation queue.

extension URLSessionManager {
    /// Is told how far a transfer has come, with the same `Progress` each time.
    public typealias ProgressHandler = @Sendable (Progress) -> Void

    /// Is told how a task came out, exactly once: the response, what the serializer made of it, and what
    /// was wrong. A response with a bad status whose body could be read has both an object and an error.
    public typealias CompletionHandler =
        @Sendable (URLResponse?, (any Sendable)?, (any Error)?) -> Void

    /// Is told how a download came out, exactly once: the response, where the file was to go, and what was
    /// wrong.
    public typealias DownloadCompletionHandler =
        @Sendable (URLResponse?, URL?, (any Error)?) -> Void

    /// Says where a download's file is to be moved, given where it is and the response to it. The file is
    /// removed when this returns, unless it was moved.
    public typealias Destination = @Sendable (URL, URLResponse) -> URL

    /// See ``setSessionDidBecomeInvalid(_:)``.
    public typealias SessionDidBecomeInvalid = @Sendable (URLSession, (any Error)?) -> Void

    /// See ``setSessionDidReceiveAuthenticationChallenge(_:)``.
    public typealias SessionDidReceiveChallenge =
        @Sendable (URLSession, URLAuthenticationChallenge) -> (
            URLSession.AuthChallengeDisposition, URLCredential?
        )

    /// See ``setTaskNeedNewBodyStream(_:)``.
    public typealias TaskNeedNewBodyStream = @Sendable (URLSession, URLSessionTask) -> InputStream?

    /// See ``setTaskWillPerformHTTPRedirection(_:)``.
    public typealias TaskWillPerformHTTPRedirection =
        @Sendable (URLSession, URLSessionTask, HTTPURLResponse, URLRequest) -> URLRequest?

    /// Answers a challenge that is answered later; may be called on any thread, and counts once.
    public typealias ChallengeCompletion =
        @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    /// See ``setAuthenticationChallengeHandler(_:)``.
    public typealias AuthenticationChallengeHandler =
        @Sendable (
            URLSession, URLSessionTask, URLAuthenticationChallenge, @escaping ChallengeCompletion
        ) -> AuthenticationChallengeAnswer

    /// See ``setTaskDidSendBodyData(_:)``.
    public typealias TaskDidSendBodyData =
        @Sendable (URLSession, URLSessionTask, Int64, Int64, Int64) -> Void

    /// See ``setTaskDidComplete(_:)``.
    public typealias TaskDidComplete =
        @Sendable (URLSession, URLSessionTask, (any Error)?) -> Void

    /// See ``setTaskDidFinishCollectingMetrics(_:)``.
    public typealias TaskDidFinishCollectingMetrics =
        @Sendable (URLSession, URLSessionTask, URLSessionTaskMetrics) -> Void

    /// See ``setDataTaskDidReceiveResponse(_:)``.
    public typealias DataTaskDidReceiveResponse =
        @Sendable (URLSession, URLSessionDataTask, URLResponse) -> URLSession.ResponseDisposition

    /// See ``setDataTaskDidBecomeDownloadTask(_:)``.
    public typealias DataTaskDidBecomeDownloadTask =
        @Sendable (URLSession, URLSessionDataTask, URLSessionDownloadTask) -> Void

    /// See ``setDataTaskDidReceiveData(_:)``.
    public typealias DataTaskDidReceiveData =
        @Sendable (URLSession, URLSessionDataTask, Data) -> Void

    /// See ``setDataTaskWillCacheResponse(_:)``.
    public typealias DataTaskWillCacheResponse =
        @Sendable (URLSession, URLSessionDataTask, CachedURLResponse) -> CachedURLResponse?

    /// See ``setDownloadTaskDidFinishDownloading(_:)``.
    public typealias DownloadTaskDidFinishDownloading =
        @Sendable (URLSession, URLSessionDownloadTask, URL) -> URL?

    /// See ``setDownloadTaskDidWriteData(_:)``.
    public typealias DownloadTaskDidWriteData =
        @Sendable (URLSession, URLSessionDownloadTask, Int64, Int64, Int64) -> Void

    /// See ``setDownloadTaskDidResume(_:)``.
    public typealias DownloadTaskDidResume =
        @Sendable (URLSession, URLSessionDownloadTask, Int64, Int64) -> Void
}
