extension URLSession {
    /// What is done about a challenge.
    public enum AuthChallengeDisposition: Int, Sendable {
        /// The credential that goes with this is used; without one the task goes on without.
        case useCredential
        /// As if nobody had been asked: the proposed credential is used, unless it failed before.
        case performDefaultHandling
        /// The task ends with `URLError.cancelled`.
        case cancelAuthenticationChallenge
        /// The next way to authenticate that the server offers is tried, if there is one.
        case rejectProtectionSpace
    }
}
