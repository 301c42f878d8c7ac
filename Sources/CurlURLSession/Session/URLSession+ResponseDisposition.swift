extension URLSession {
    /// What becomes of a response's content.
    public enum ResponseDisposition: Int, Sendable {
        /// The task ends with `URLError.cancelled`.
        case cancel
        /// The content is told as it comes.
        case allow
        /// The task becomes a download, whose delegate methods tell of the content.
        case becomeDownload
        /// The task fails with `URLError.unknown`: libcurl keeps the connection of a request to itself, which
        /// may carry other requests, or TLS, and reads the content by the rules of HTTP. For a connection of
        /// one's own there is ``URLSession/streamTask(withHostName:port:)``.
        case becomeStream
    }
}
