internal import CurlURLSession
internal import Dispatch
internal import Foundation

/// The settings of a manager, which its user may change at any time.
struct ManagerState: Sendable {
    /// The configuration of the session, and of the sessions after a reset.
    let configuration: URLSessionConfiguration
    /// Created on first use, and after a reset.
    var session: URLSession?
    var responseSerializer: any URLResponseSerialization = JSONResponseSerializer()
    var securityPolicy = SecurityPolicy()
    var reachabilityManager = NetworkReachabilityManager.shared()
    var completionQueue: DispatchQueue?
    var completionGroup: DispatchGroup?
    var recreatesUploads = false
    /// Whether download progress counts bytes as received, before decompression.
    var countsEncodedBytes = false
    var handlers = ManagerHandlers()
    /// The interceptor of tasks that are created from now on.
    var interceptor: (any RequestInterceptor)?
    var monitors: [any EventMonitor] = []
}

/// The handlers for all tasks of a manager; `nil` for the default behaviour.
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
