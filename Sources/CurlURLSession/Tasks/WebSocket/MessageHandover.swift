internal import Posix
internal import Synchronization

/// Follows messages to the program, so that a peer's close is reported after those before it.
///
/// The methods that return a `Bool` return whether a close waits, and has to be decided about again
/// with ``decide(hasUnread:)``.
final class MessageHandover: Sendable {
    private let state = Mutex(MessageHandoverState())

    /// The program calls `receive`.
    func noteCall() { state.withLock { $0.noteCall() } }

    /// An asynchronous call has got a message.
    func noteMessage() -> Bool { state.withLock { $0.noteMessage(at: .now) } }

    /// A handler is about to be called with a message, on the delegate queue.
    func noteMessageForHandler() { state.withLock { $0.noteMessageForHandler() } }

    /// A call of `receive` has failed.
    func noteFailure() -> Bool { state.withLock { $0.noteFailure() } }

    /// The delegate is about to be called because the WebSocket is open.
    func noteOpening() { state.withLock { $0.noteOpening() } }

    /// A handler, or the delegate, has returned.
    func noteReturn() -> Bool { state.withLock { $0.noteReturn(at: .now) } }

    /// The WebSocket is closed; the delegate has to be notified.
    func noteClosing() { state.withLock { $0.noteClosing(at: .now) } }

    /// The program has closed the WebSocket itself, and reads no further messages.
    func noteEnd() -> Bool { state.withLock { $0.noteEnd() } }

    /// The time of the last decision to wait has passed.
    func noteAlarm() { state.withLock { $0.noteAlarm() } }

    /// Decides whether the delegate is notified of the close now.
    ///
    /// - Parameter hasUnread: Whether messages are buffered, determined before this call.
    func decide(hasUnread: Bool) -> MessageHandoverState.Decision {
        state.withLock { $0.decide(hasUnread: hasUnread, at: .now) }
    }
}

/// The messages of a WebSocket that are on their way to the program, as a pure value.
///
/// A close waits until the handlers of the messages before it have returned. It also waits while
/// the program reads the buffered ones, but at most ``patience`` for each call of `receive`.
/// Messages can still be received afterwards.
struct MessageHandoverState: Sendable {
    enum Decision: Sendable, Equatable {
        /// Notify the delegate now.
        case notify
        /// Decide again after the next event; with a duration, also after that.
        case wait(Duration?)
    }

    /// The longest time that a close waits for the next call of `receive`.
    static let patience = Duration.seconds(2)

    /// The calls of `receive` that weren't answered yet.
    private var calls = 0
    /// The calls on the delegate queue that have to return before the close is reported.
    private var handlers = 0
    /// Whether an asynchronous call has got a message, and no other call has followed.
    private var isProcessing = false
    /// Whether the program has closed the WebSocket itself.
    private var isFinished = false
    /// When the program last got a message, or a handler last returned.
    private var lastProgress: MonotonicTime?
    /// When the WebSocket was closed; `nil` before that, and after the decision to notify.
    private var closed: MonotonicTime?
    /// Whether a decision to wait for a time is in force.
    private var hasAlarm = false

    private var isWaiting: Bool { closed != nil }

    mutating func noteCall() {
        calls += 1
        isProcessing = false
    }

    mutating func noteMessage(at now: MonotonicTime) -> Bool {
        calls -= 1
        isProcessing = true
        lastProgress = now
        return isWaiting
    }

    mutating func noteMessageForHandler() {
        calls -= 1
        handlers += 1
    }

    mutating func noteFailure() -> Bool {
        calls -= 1
        return isWaiting
    }

    mutating func noteOpening() { handlers += 1 }

    mutating func noteReturn(at now: MonotonicTime) -> Bool {
        handlers -= 1
        lastProgress = now
        return isWaiting
    }

    mutating func noteClosing(at now: MonotonicTime) { closed = now }

    mutating func noteEnd() -> Bool {
        isFinished = true
        return isWaiting
    }

    mutating func noteAlarm() { hasAlarm = false }

    mutating func decide(hasUnread: Bool, at now: MonotonicTime) -> Decision {
        guard let closed else { return .notify }
        guard handlers == 0 else { return .wait(nil) }
        guard let deadline = endOfWait(closed, hasUnread), now < deadline else {
            self.closed = nil
            return .notify
        }
        guard !hasAlarm else { return .wait(nil) }
        hasAlarm = true
        return .wait(.nanoseconds(deadline.nanoseconds(since: now)))
    }

    /// When the wait for the program ends; `nil` if there is nothing to wait for.
    private func endOfWait(_ closed: MonotonicTime, _ hasUnread: Bool) -> MonotonicTime? {
        if isFinished { return nil }
        if hasUnread || calls > 0 {
            return max(closed, lastProgress ?? closed).advanced(by: Self.patience)
        }
        return isProcessing ? lastProgress?.advanced(by: Self.patience) : nil
    }
}
