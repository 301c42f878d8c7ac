internal import CurlTransport
internal import Foundation

// How a stream task gives its connection away.

extension StreamState {
    enum Capture: Sendable {
        case none
        /// Those are served who came before.
        case wanted
        /// The task was told that it can be given away.
        case due
        /// Somebody else has it, and keeps the transport.
        case given(Transport)
    }

    /// The connection is to be given away once those are served who have asked for something.
    mutating func beginCapture() {
        guard case .none = capture, phase != .over else { return }
        capture = .wanted
        updateCapture()
    }

    /// Whether it can be given away by now.
    mutating func updateCapture() {
        guard case .wanted = capture, phase == .open, isIdle, let loader else { return }
        capture = .due
        tell { loader.captured() }
    }

    /// Gives it away: nobody is told any more what becomes of it. False if there is nothing to give.
    mutating func release() -> Bool {
        guard case .due = capture, phase == .open, let loader = takeLoader() else { return false }
        capture = .given(loader.transport)
        setSuspended(false)
        return true
    }
}
