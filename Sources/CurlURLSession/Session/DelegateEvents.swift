internal import CurlTransport
internal import Foundation
internal import Synchronization

/// What a session has to tell on its delegate queue, in order.
///
/// A hop over an operation queue costs more than most of what is told, so there is one operation
/// under way at a time, which tells whatever is there. After a while it makes way for another one:
/// the queue may be shared with others, or be suspended.
///
/// Sendable by its parts: the queue is an `OperationQueue`, which may be used on any thread.
final class DelegateEvents: Sendable {
    enum Event: Sendable {
        /// A task has something to tell, which it knows itself.
        case task(TaskCore)
        case call(@Sendable () -> Void)
    }

    private struct State {
        var due = FIFO<Event>()
        var isScheduled = false

        mutating func next() -> Event? {
            let event = due.popFirst()
            if event == nil { isScheduled = false }
            return event
        }
    }

    let queue: OperationQueue
    private let state = Mutex(State())

    /// As many are told by one operation.
    private static let share = 64

    /// - Parameter queue: Where all is told; with `nil`, on a serial queue of its own.
    init(queue: OperationQueue?) {
        self.queue = queue ?? Self.serialQueue()
    }

    private static func serialQueue() -> OperationQueue {
        let queue = OperationQueue()
        queue.name = "curl-session-delegate"
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    /// On any thread, the delegate queue's included.
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

    /// Tells what there is, for a while, on the queue.
    func tell() {
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
