internal import Foundation

// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
// proves to be `Sendable`; the superclass `Operation` may be used on any thread.
/// Delivers pending events of a session.
///
/// `cancel()` does nothing. The queue may belong to another component; when that cancels all its
/// operations, it must not lose the session's events, which callers would wait for forever.
final class DelegateOperation: Operation, @unchecked Sendable {
    private let events: DelegateEvents

    init(_ events: DelegateEvents) {
        self.events = events
    }

    override func main() {
        events.deliver()
    }

    override func cancel() {}
}
