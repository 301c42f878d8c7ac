internal import CurlURLSession
internal import Dispatch
internal import Foundation

/// What a manager's user may change about it, at any time.
struct ManagerState: Sendable {
    /// Of this session and those after it.
    let configuration: URLSessionConfiguration
    /// Made when it is first needed, and after a reset.
    var session: URLSession?
    var responseSerializer: any URLResponseSerialization = JSONResponseSerializer()
    var securityPolicy = SecurityPolicy()
    var reachabilityManager = NetworkReachabilityManager.shared()
    var completionQueue: DispatchQueue?
    var completionGroup: DispatchGroup?
    var recreatesUploads = false
    /// Progress of downloads is of bytes as they come over the connection.
    var countsEncodedBytes = false
    var handlers = ManagerHandlers()
    /// Of tasks that are created from now on.
    var interceptor: (any RequestInterceptor)?
    var monitors: [any EventMonitor] = []
}
