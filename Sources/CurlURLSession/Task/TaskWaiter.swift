internal import Curl

/// A Swift task that waits for something of a URL task.
struct TaskWaiter: ~Copyable, Sendable {
    enum Event {
        /// The response's head.
        case head
        /// Bytes of the content, or its end.
        case bytes
        /// The end.
        case end
    }

    let event: Event
    private let task: WaitingTask<Bool>

    init(_ task: consuming WaitingTask<Bool>, for event: Event) {
        self.event = event
        self.task = task
    }

    /// - Parameter isTheOnly: False where another one waits already.
    consuming func resume(isTheOnly: Bool) {
        task.resume(returning: isTheOnly)
    }
}
