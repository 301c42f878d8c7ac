internal import Foundation

/// Who is told of a task's response.
enum TaskConsumer: Sendable {
    /// The delegate, as it comes.
    case delegate
    /// A handler, on the delegate queue, at the end.
    case dataHandler(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
    /// A handler, on the delegate queue, at the end.
    case fileHandler(@Sendable (URL?, URLResponse?, (any Error)?) -> Void)
    /// A Swift task that waits for the end.
    case awaited
    /// A Swift task that reads as it comes.
    case stream

    /// Only the delegate is told each thing as it happens.
    var isDelegate: Bool {
        if case .delegate = self { true } else { false }
    }

    var isDataHandler: Bool {
        if case .dataHandler = self { true } else { false }
    }

    var isAwaited: Bool {
        if case .awaited = self { true } else { false }
    }

    /// It is resumed, on whatever thread, rather than called on the delegate queue.
    var isSwiftTask: Bool {
        switch self {
        case .awaited, .stream: true
        case .delegate, .dataHandler, .fileHandler: false
        }
    }
}
