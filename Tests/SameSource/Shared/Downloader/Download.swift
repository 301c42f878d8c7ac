import Foundation

/// A download in flight.
struct Download: Sendable {
    let task: URLSessionDownloadTask
    let events: AsyncStream<DownloadEvent>

    /// Stops the download and returns its resume data, if it has any.
    func pause() async -> Data? {
        await withCheckedContinuation { continuation in
            task.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
        }
    }
}
