extension URLSession {
    /// What is done about a request whose time has come.
    public enum DelayedRequestDisposition: Sendable {
        /// It is loaded.
        case continueLoading
        /// Another one is loaded, which goes with this.
        case useNewRequest
        /// The task ends with `URLError.cancelled`.
        case cancel
    }
}
