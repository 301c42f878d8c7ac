import Foundation

/// A download under way.
struct Download: Sendable {
    let task: URLSessionDownloadTask
    let events: AsyncStream<DownloadEvent>

    /// Stops it; what it takes to go on later, if it can.
    func pause() async -> Data? {
        await withCheckedContinuation { continuation in
            task.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
        }
    }
}
