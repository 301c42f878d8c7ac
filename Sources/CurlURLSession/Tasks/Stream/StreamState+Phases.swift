internal import CurlTransport
internal import Foundation

// The phases of a stream task's connection, and how the task hands it over.

extension StreamState {
    enum Phase: Sendable {
        /// Not connected, or connecting.
        case waiting
        case open
        case over
    }

    enum Side: Sendable {
        case open
        /// Closes once the calls made before have completed.
        case closing
        case closed
    }
}

extension StreamState {
    enum Capture: Sendable {
        case none
        /// The calls made before the capture are still pending.
        case wanted
        /// The task was notified that the connection can be handed over.
        case due
        /// The captured streams own the connection. The transport is kept alive for them.
        case given(Transport)
    }

    /// Requests the hand-over once all pending calls have completed.
    mutating func beginCapture() {
        guard case .none = capture, phase != .over else { return }
        capture = .wanted
        updateCapture()
    }

    /// Notifies the loader if the connection can be handed over now.
    mutating func updateCapture() {
        guard case .wanted = capture, phase == .open, isIdle, let loader else { return }
        capture = .due
        notify { loader.captured() }
    }

    /// Detaches the connection from the task. Later events are no longer reported to it. Returns
    /// false if the connection can't be handed over.
    mutating func release() -> Bool {
        guard case .due = capture, phase == .open, let loader = takeLoader() else { return false }
        capture = .given(loader.transport)
        setSuspended(false)
        return true
    }
}
