import Foundation
import Synchronization

/// Provides the stream of an upload and logs the server's answer.
final class StreamingDelegate: NSObject, URLSessionDataDelegate {
    private let stage: Stage
    private let body: Data
    private let state = Mutex<(received: Data, waiting: CheckedContinuation<Void, Never>?)>(
        (Data(), nil)
    )

    init(_ stage: Stage, body: Data) {
        self.stage = stage
        self.body = body
    }

    func run(_ task: URLSessionTask) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0 = (Data(), continuation) }
            task.resume()
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        stage.log("needNewBodyStream")
        completionHandler(InputStream(data: body))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { $0.received += data }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let (received, waiting) = state.withLock { ($0.received, $0.waiting.take()) }
        stage.log(String(decoding: received, as: UTF8.self))
        stage.log("didComplete: \(stage.text(of: error))")
        waiting?.resume()
    }
}
