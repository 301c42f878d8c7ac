import Foundation
import Synchronization

/// A delegate that implements every method and logs its calls.
final class BusyDelegate: NSObject, Sendable {
    struct State {
        var ended: Set<Int> = []
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var whenInvalid: CheckedContinuation<Void, Never>?
    }

    let stage: Stage
    let state = Mutex(State())

    init(_ stage: Stage) {
        self.stage = stage
    }

    /// Waits for a task's end; returns immediately if it has ended.
    func end(_ task: URLSessionTask) async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if state.ended.contains(task.taskIdentifier) { return true }
                state.waiting[task.taskIdentifier] = continuation
                return false
            }
            if hasEnded { continuation.resume() }
        }
    }

    func run(_ task: URLSessionTask) async {
        task.resume()
        await end(task)
    }

    func invalidate(_ session: URLSession) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.whenInvalid = continuation }
            session.finishTasksAndInvalidate()
        }
    }
}

extension BusyDelegate: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        stage.log("didBecomeInvalidWithError \(stage.text(of: error))")
        state.withLock { $0.whenInvalid.take() }?.resume()
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        stage.log("didReceive challenge")
        completionHandler(.performDefaultHandling, nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        stage.log("task didReceive challenge")
        completionHandler(.rejectProtectionSpace, nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        stage.log("willPerformHTTPRedirection \(request.url?.path ?? "nowhere")")
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        stage.log("needNewBodyStream")
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        stage.log("didSendBodyData")
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        stage.log("didCompleteWithError \(stage.text(of: error))")
        let waiting = state.withLock { state in
            state.ended.insert(task.taskIdentifier)
            return state.waiting.removeValue(forKey: task.taskIdentifier)
        }
        waiting?.resume()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willBeginDelayedRequest request: URLRequest,
        completionHandler:
            @escaping @Sendable (
                URLSession.DelayedRequestDisposition, URLRequest?
            ) -> Void
    ) {
        stage.log("willBeginDelayedRequest")
        completionHandler(.continueLoading, nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        stage.log("didFinishCollecting")
    }
}
