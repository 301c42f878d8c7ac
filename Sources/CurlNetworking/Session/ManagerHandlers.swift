internal import CurlURLSession
internal import Foundation

/// What a manager's user wants to be told of, and asked, of all tasks; `nil` for what is usual.
struct ManagerHandlers: Sendable {
    // MARK: The session

    var sessionDidBecomeInvalid: URLSessionManager.SessionDidBecomeInvalid?
    var sessionDidReceiveChallenge: URLSessionManager.SessionDidReceiveChallenge?

    // MARK: All tasks

    var taskNeedsBodyStream: URLSessionManager.TaskNeedNewBodyStream?
    var taskWillRedirect: URLSessionManager.TaskWillPerformHTTPRedirection?
    var taskDidReceiveChallenge: URLSessionManager.AuthenticationChallengeHandler?
    var taskDidSendBodyData: URLSessionManager.TaskDidSendBodyData?
    var taskDidComplete: URLSessionManager.TaskDidComplete?
    var taskDidCollectMetrics: URLSessionManager.TaskDidFinishCollectingMetrics?

    // MARK: Data tasks

    var dataTaskDidReceiveResponse: URLSessionManager.DataTaskDidReceiveResponse?
    var dataTaskDidBecomeDownload: URLSessionManager.DataTaskDidBecomeDownloadTask?
    var dataTaskDidReceiveData: URLSessionManager.DataTaskDidReceiveData?
    var dataTaskWillCache: URLSessionManager.DataTaskWillCacheResponse?

    // MARK: Download tasks

    var downloadDidFinish: URLSessionManager.DownloadTaskDidFinishDownloading?
    var downloadDidWriteData: URLSessionManager.DownloadTaskDidWriteData?
    var downloadDidResume: URLSessionManager.DownloadTaskDidResume?
}
