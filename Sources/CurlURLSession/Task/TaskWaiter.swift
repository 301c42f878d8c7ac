/// A Swift task that waits for something of a URL task.
struct TaskWaiter {
    enum Event {
        /// The response's head.
        case head
        /// Bytes of the content, or its end.
        case bytes
        /// The end.
        case end
    }

    let event: Event
    /// Resumed with `false` where another one waits already.
    let continuation: CheckedContinuation<Bool, Never>
}
