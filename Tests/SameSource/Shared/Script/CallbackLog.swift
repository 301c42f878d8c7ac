import Foundation
import Synchronization

/// A delegate that logs the order of its calls.
///
/// Successive calls of the same kind, as many as the body has pieces, are one line.
final class CallbackLog: NSObject, URLSessionDataDelegate {
    private struct State {
        var received = 0
        var sent: (total: Int64, expected: Int64)?
        var waiting: [Int: CheckedContinuation<(any Error)?, Never>] = [:]
        var whenInvalid: CheckedContinuation<Void, Never>?
    }

    private let stage: Stage
    private let state = Mutex(State())

    init(_ stage: Stage) {
        self.stage = stage
    }

    /// Starts a task and waits for its end.
    @discardableResult
    func run(_ task: URLSessionTask) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting[task.taskIdentifier] = continuation }
            task.resume()
        }
    }

    /// Invalidates a session and waits until it calls the delegate.
    func invalidate(_ session: URLSession) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.whenInvalid = continuation }
            session.finishTasksAndInvalidate()
        }
    }

    private func log(_ line: String) {
        let (sent, received) = state.withLock { state in
            defer { (state.sent, state.received) = (nil, 0) }
            return (state.sent, state.received)
        }
        if let sent { stage.log("didSendBodyData: \(sent.total) of \(sent.expected)") }
        if received > 0 { stage.log("didReceive data: \(received) bytes") }
        stage.log(line)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        state.withLock { $0.sent = (totalBytesSent, totalBytesExpectedToSend) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let method = request.httpMethod ?? "no method"
        let path = request.url?.path ?? "nowhere"
        log("willPerformHTTPRedirection \(response.statusCode): \(method) \(path)")
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        log("didReceive response: \(status)")
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { $0.received += data.count }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        log("didComplete: \(stage.text(of: error))")
        let waiting = state.withLock { $0.waiting.removeValue(forKey: task.taskIdentifier) }
        waiting?.resume(returning: error)
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        log("didBecomeInvalid: \(stage.text(of: error))")
        state.withLock { $0.whenInvalid.take() }?.resume()
    }
}
