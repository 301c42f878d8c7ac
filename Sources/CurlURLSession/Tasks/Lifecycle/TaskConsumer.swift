internal import Foundation
internal import Posix

/// The consumer of a task's response.
enum TaskConsumer: Sendable {
    /// The delegate, as the response arrives.
    case delegate
    /// A handler, on the delegate queue, at the end.
    case dataHandler(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
    /// A handler, on the delegate queue, at the end.
    case fileHandler(@Sendable (URL?, URLResponse?, (any Error)?) -> Void)
    /// A Swift task that waits for the end.
    case awaited
    /// A Swift task that reads the response as it arrives.
    case stream

    /// Whether the delegate gets each event of the response as it happens.
    var isDelegate: Bool {
        if case .delegate = self { true } else { false }
    }

    var isDataHandler: Bool {
        if case .dataHandler = self { true } else { false }
    }

    var isAwaited: Bool {
        if case .awaited = self { true } else { false }
    }

    /// Whether a Swift task is resumed instead of a call on the delegate queue. It is resumed on
    /// any thread.
    var isSwiftTask: Bool {
        switch self {
        case .awaited, .stream: true
        case .delegate, .dataHandler, .fileHandler: false
        }
    }
}

/// A Swift task that waits for an event of a URL session task.
struct TaskWaiter: ~Copyable, Sendable {
    enum Event {
        /// The response's head has arrived.
        case head
        /// Bytes of the body, or its end, have arrived.
        case bytes
        /// The task has ended.
        case end
    }

    let event: Event
    private let task: WaitingTask<Bool>

    init(_ task: consuming WaitingTask<Bool>, for event: Event) {
        self.event = event
        self.task = task
    }

    /// - Parameter isTheOnly: False if another Swift task already waits.
    consuming func resume(isTheOnly: Bool) {
        task.resume(returning: isTheOnly)
    }
}
