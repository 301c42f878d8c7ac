public import CurlURLSession

/// Changes requests before they are sent, such as to add what proves who the client is.
public protocol RequestAdapter: Sendable {
    /// Says what is sent in the place of a request.
    ///
    /// Asked before each attempt, with the request as the task was created with it: what was changed for
    /// the attempt before isn't in it. Not asked about redirects: a redirect to another origin drops all
    /// header fields that were added or changed here, but for those that describe the body
    /// (`Content-Type` and the like), and within the origin they go along. Runs on no queue; the task waits for it
    /// meanwhile, and if the task is cancelled, so is the Swift task that this runs in.
    ///
    /// - Parameters:
    ///   - request: What would be sent.
    ///   - attempt: Which attempt of which task it is.
    /// - Returns: What is sent.
    /// - Throws: Why nothing can be sent: the attempt fails with this, and retriers are asked.
    func adapt(_ request: URLRequest, for attempt: RequestAttempt) async throws -> URLRequest
}
