internal import Posix
internal import Testing

@testable internal import CurlURLSession

/// Tests when a close is reported, without a WebSocket.
@Suite struct MessageHandoverTests {
    private let patience = MessageHandoverState.patience

    /// A time in seconds after an arbitrary start.
    private func instant(_ seconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: (1_000 + seconds) * 1_000_000_000)
    }

    @Test("A close without earlier messages is reported at once")
    func closeWithoutMessagesIsReportedAtOnce() {
        var state = MessageHandoverState()
        state.noteClosing(at: instant(0))
        #expect(state.decide(hasUnread: false, at: instant(0)) == .notify)
    }

    @Test("A close waits for buffered messages, and again after each of them")
    func closeWaitsAfterEachMessage() {
        var state = MessageHandoverState()
        state.noteClosing(at: instant(0))
        #expect(state.decide(hasUnread: true, at: instant(0)) == .wait(patience))
        state.noteCall()
        #expect(state.noteMessage(at: instant(1)) == true)
        // The first wait is still in force.
        #expect(state.decide(hasUnread: true, at: instant(1)) == .wait(nil))
        state.noteAlarm()
        #expect(state.decide(hasUnread: true, at: instant(2)) == .wait(.seconds(1)))
        state.noteAlarm()
        #expect(state.decide(hasUnread: true, at: instant(3)) == .notify)
        state.noteCall()
        #expect(state.noteMessage(at: instant(4)) == false)
    }

    @Test("A close waits for the next receive call or its timeout")
    func closeWaitsForNextCall() {
        var state = MessageHandoverState()
        state.noteCall()
        #expect(state.noteMessage(at: instant(0)) == false)
        var other = state
        state.noteClosing(at: instant(1))
        #expect(state.decide(hasUnread: false, at: instant(1)) == .wait(.seconds(1)))
        state.noteCall()
        #expect(state.noteFailure() == true)
        #expect(state.decide(hasUnread: false, at: instant(1)) == .notify)
        other.noteClosing(at: instant(2))
        #expect(other.decide(hasUnread: false, at: instant(2)) == .notify)
    }

    @Test("A close waits for handlers and for didOpen, however long they take")
    func closeWaitsForHandlers() {
        var state = MessageHandoverState()
        state.noteOpening()
        state.noteCall()
        state.noteMessageForHandler()
        state.noteClosing(at: instant(0))
        #expect(state.decide(hasUnread: true, at: instant(60)) == .wait(nil))
        #expect(state.noteReturn(at: instant(61)) == true)
        #expect(state.decide(hasUnread: true, at: instant(61)) == .wait(nil))
        #expect(state.noteReturn(at: instant(62)) == true)
        #expect(state.decide(hasUnread: true, at: instant(62)) == .wait(patience))
        #expect(state.decide(hasUnread: false, at: instant(62)) == .notify)
    }

    @Test("A close that the program has requested waits for handlers only")
    func requestedCloseWaitsForHandlersOnly() {
        var state = MessageHandoverState()
        state.noteCall()
        #expect(state.noteMessage(at: instant(0)) == false)
        state.noteCall()
        state.noteMessageForHandler()
        #expect(state.noteEnd() == false)
        state.noteClosing(at: instant(0))
        #expect(state.decide(hasUnread: false, at: instant(0)) == .wait(nil))
        #expect(state.noteReturn(at: instant(0)) == true)
        #expect(state.decide(hasUnread: true, at: instant(0)) == .notify)
    }
}
