extension URLSessionTask {
    /// What a task is doing.
    public enum State: Int, Sendable {
        /// It loads.
        case running
        /// It wasn't resumed yet, or was suspended.
        case suspended
        /// It was cancelled, which wasn't told yet.
        case canceling
        /// It is over.
        case completed
    }
}
