extension URLSession {
    /// What becomes of a response's content.
    public enum ResponseDisposition: Int, Sendable {
        /// The task ends with `URLError.cancelled`.
        case cancel
        /// The content is told as it comes.
        case allow
        /// The task becomes a download, whose delegate methods tell of the content.
        case becomeDownload
    }
}
