internal import Foundation
internal import Synchronization

/// Counts the bytes of bodies and drops them, as they come. Its methods run on the session's queue.
final class DroppingDelegate: NSObject, URLSessionDataDelegate {
    private struct Download {
        var received = 0
        let continuation: CheckedContinuation<(Int, URLResponse?), any Error>
    }

    private let downloads = Mutex<[Int: Download]>([:])

    /// Starts a task; the length of its body, and its response, once it has ended.
    func run(_ task: URLSessionDataTask) async throws -> (Int, URLResponse?) {
        try await withCheckedThrowingContinuation { continuation in
            let download = Download(continuation: continuation)
            downloads.withLock { $0[task.taskIdentifier] = download }
            task.resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        downloads.withLock { $0[dataTask.taskIdentifier]?.received += data.count }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        guard let ended = downloads.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
            return
        }
        if let error {
            ended.continuation.resume(throwing: error)
        } else {
            ended.continuation.resume(returning: (ended.received, task.response))
        }
    }
}
