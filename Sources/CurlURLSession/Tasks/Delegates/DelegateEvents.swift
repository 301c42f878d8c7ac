internal import CurlTransport
internal import DequeModule
internal import Foundation
internal import Synchronization

// Sendable by its parts: an `OperationQueue` may be used on any thread.
/// Serialises a session's calls to its delegate and completion handlers.
///
/// Scheduling an operation costs more than most of these calls, so one operation at a time delivers
/// all pending events. After ``share`` events it schedules another operation, because the operation
/// queue may be shared with other work or suspended.
final class DelegateEvents: Sendable {
    enum Event: Sendable {
        /// A task has events to deliver, which its core holds.
        case task(TaskCore)
        case call(@Sendable () -> Void)
    }

    private struct State {
        var due = Deque<Event>()
        var isScheduled = false

        mutating func next() -> Event? {
            let event = due.popFirst()
            if event == nil { isScheduled = false }
            return event
        }
    }

    let queue: OperationQueue
    private let state = Mutex(State())

    /// The largest number of events that one operation delivers.
    private static let share = 64

    /// - Parameter queue: Where all events are delivered; with `nil`, a new serial queue.
    init(queue: OperationQueue?) {
        self.queue = queue ?? Self.serialQueue()
    }

    private static func serialQueue() -> OperationQueue {
        let queue = OperationQueue()
        queue.name = "curl-session-delegate"
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    /// Adds an event. May be called on any thread, also on the delegate queue.
    func append(_ event: Event) {
        let isFirst = state.withLock { state in
            state.due.append(event)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { schedule() }
    }

    private func schedule() {
        queue.addOperation(DelegateOperation(self))
    }

    /// Delivers pending events on the queue, up to the limit.
    func deliver() {
        for _ in 0..<Self.share {
            if queue.isSuspended { break }
            guard let event = state.withLock({ $0.next() }) else { return }
            switch event {
            case .task(let task):
                if task.deliver() { append(event) }
            case .call(let call):
                call()
            }
        }
        schedule()
    }
}

// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
// proves to be `Sendable`; the superclass `Operation` may be used on any thread.
/// Delivers pending events of a session.
///
/// `cancel()` does nothing. The queue may belong to another component; when that cancels all its
/// operations, it must not lose the session's events, which callers would wait for forever.
private final class DelegateOperation: Operation, @unchecked Sendable {
    private let events: DelegateEvents

    init(_ events: DelegateEvents) {
        self.events = events
    }

    override func main() {
        events.deliver()
    }

    override func cancel() {}
}
