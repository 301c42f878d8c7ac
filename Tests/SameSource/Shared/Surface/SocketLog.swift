import Foundation
import Synchronization

/// A delegate that collects WebSocket events until the end.
///
/// The program logs messages itself in the meantime.
final class SocketLog: NSObject, URLSessionWebSocketDelegate {
    private struct State {
        var lines: [String] = []
        var hasEnded = false
        var whenEnded: CheckedContinuation<Void, Never>?
    }

    private let stage: Stage
    private let state = Mutex(State())

    init(_ stage: Stage) {
        self.stage = stage
    }

    /// Waits for the task's end and returns the events in order.
    func lines() async -> [String] {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.whenEnded = continuation }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
        return state.withLock { $0.lines }
    }

    private func note(_ line: String) {
        state.withLock { $0.lines.append(line) }
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        note("didOpenWithProtocol \(`protocol` ?? "none")")
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        let text = reason.map { String(decoding: $0, as: UTF8.self) } ?? "no reason"
        note("didCloseWith \(closeCode.rawValue), \(text)")
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        note("didComplete: \(stage.text(of: error))")
        let whenEnded = state.withLock { state in
            state.hasEnded = true
            return state.whenEnded.take()
        }
        whenEnded?.resume()
    }
}
