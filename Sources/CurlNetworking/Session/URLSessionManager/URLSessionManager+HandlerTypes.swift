public import CurlURLSession
public import Foundation

// The types of a manager's handlers. They are called on the manager's operation queue.

extension URLSessionManager {
    /// Called as a transfer progresses, with the same `Progress` each time.
    public typealias ProgressHandler = @Sendable (Progress) -> Void

    /// Called when a task has completed, exactly once.
    ///
    /// It gets the response, the serialized object and the error. If a response has a bad status
    /// and its body could be read, there are both an object and an error.
    public typealias CompletionHandler =
        @Sendable (URLResponse?, (any Sendable)?, (any Error)?) -> Void

    /// Called when a download has completed, exactly once.
    ///
    /// It gets the response, the file's destination and the error.
    public typealias DownloadCompletionHandler =
        @Sendable (URLResponse?, URL?, (any Error)?) -> Void

    /// Returns where to move a download's file.
    ///
    /// It gets the file's current location and the response. Unless the file was moved, it is
    /// removed when this returns.
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

    /// Answers a deferred challenge.
    ///
    /// It may be called on any thread; only the first call has an effect.
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

/// The answer to an authentication challenge.
///
/// The handler of ``URLSessionManager/setAuthenticationChallengeHandler(_:)`` returns it.
/// AFNetworking's handler returns an object whose class has the same meaning.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum AuthenticationChallengeAnswer: Sendable {
    /// The handler calls its completion, now or later; the task waits for it.
    case deferred
    /// The task fails with this error.
    case fail(any Error)
    /// The task uses this credential.
    case use(URLCredential)
    /// The default handling.
    ///
    /// The manager's security policy evaluates a server's certificates. For other challenges, the
    /// task uses the proposed credential, unless that has failed before.
    case performDefaultHandling
    /// The task fails with `URLError.cancelled`.
    case cancel
    /// The task tries the next authentication method that the server offers.
    case rejectProtectionSpace
}
