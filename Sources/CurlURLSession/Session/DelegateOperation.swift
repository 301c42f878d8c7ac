internal import Foundation

/// Tells some of what a session has to tell.
///
/// It can't be cancelled: whoever cancels all that waits in the queue, which may be somebody else's,
/// means work of his own, and not that everybody waits for the session's word for ever.
///
/// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
/// proves to be `Sendable`; what an operation has itself may be used on any thread.
final class DelegateOperation: Operation, @unchecked Sendable {
    private let events: DelegateEvents

    init(_ events: DelegateEvents) {
        self.events = events
    }

    override func main() {
        events.tell()
    }

    override func cancel() {}
}
