import Foundation
import Synchronization

/// Reads events from a server and reconnects after the last event.
final class EventSource: NSObject, URLSessionDataDelegate {
    enum Notice: Sendable {
        case opened(status: Int)
        case refused(status: Int, type: String?)
        case event(ServerSentEvent)
        case closed((any Error)?)
        case retrying(milliseconds: Int)
        /// The last notice.
        case invalid
    }

    private struct State {
        var parser = EventParser()
        var session: URLSession?
        var task: URLSessionDataTask?
        var isOver = false
    }

    let notices: AsyncStream<Notice>
    private let continuation: AsyncStream<Notice>.Continuation
    private let request: URLRequest
    private let state = Mutex(State())

    init(_ url: URL) {
        var request = URLRequest(url: url)
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.timeoutInterval = 300
        self.request = request
        (notices, continuation) = AsyncStream.makeStream()
        super.init()
    }

    func start() {
        let session = URLSession(
            configuration: .ephemeral,
            delegate: self,
            delegateQueue: nil
        )
        state.withLock { $0.session = session }
        connect()
    }

    /// Ends the source permanently.
    func stop() {
        let (session, task) = state.withLock { state in
            state.isOver = true
            return (state.session.take(), state.task.take())
        }
        task?.cancel()
        session?.finishTasksAndInvalidate()
    }

    private func connect() {
        let task = state.withLock { state -> URLSessionDataTask? in
            guard let session = state.session else { return nil }
            var request = request
            if !state.parser.lastID.isEmpty {
                request.setValue(state.parser.lastID, forHTTPHeaderField: "Last-Event-ID")
            }
            state.task = session.dataTask(with: request)
            return state.task
        }
        task?.resume()
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status == 200, response.mimeType == "text/event-stream" {
            continuation.yield(.opened(status: status))
            completionHandler(.allow)
        } else {
            state.withLock { $0.isOver = true }
            continuation.yield(.refused(status: status, type: response.mimeType))
            completionHandler(.cancel)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        for event in state.withLock({ $0.parser.add(data) }) {
            continuation.yield(.event(event))
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        continuation.yield(.closed(error))
        let retry = state.withLock { state -> Int? in
            state.parser.restart()
            return state.isOver ? nil : state.parser.retry ?? 3000
        }
        guard let retry else { return stop() }
        continuation.yield(.retrying(milliseconds: retry))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(retry)) {
            self.connect()
        }
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        continuation.yield(.invalid)
        continuation.finish()
    }
}
