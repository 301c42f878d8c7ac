extension URLSession {
    /// How to respond to an authentication challenge.
    public enum AuthChallengeDisposition: Int, Sendable {
        /// Uses the given credential; without one, continues without authentication.
        case useCredential
        /// Uses the proposed credential, unless it failed before.
        ///
        /// This is the default without a delegate.
        case performDefaultHandling
        /// Ends the task with `URLError.cancelled`.
        case cancelAuthenticationChallenge
        /// Tries the next authentication method that the server offers, if any.
        case rejectProtectionSpace
    }

    /// How to proceed with a response.
    public enum ResponseDisposition: Int, Sendable {
        /// Ends the task with `URLError.cancelled`.
        case cancel
        /// Continues and delivers the body as it arrives.
        case allow
        /// Turns the task into a download. Its download delegate methods are called from then on.
        case becomeDownload
        /// Fails the task with `URLError.unknown`. libcurl doesn't give away a request's
        /// connection: it may carry other requests or TLS, and libcurl reads the body by the rules
        /// of HTTP. Use ``URLSession/streamTask(withHostName:port:)`` for a separate connection.
        case becomeStream
    }

    /// How to proceed with a delayed request at its start time.
    public enum DelayedRequestDisposition: Sendable {
        /// Loads the original request.
        case continueLoading
        /// Loads the given new request.
        case useNewRequest
        /// Ends the task with `URLError.cancelled`.
        case cancel
    }
}
