import Foundation
import Synchronization

/// Downloads files into a folder, several at once, and reports progress.
final class Downloader: NSObject, URLSessionDownloadDelegate {
    private struct Place {
        let target: URL
        let continuation: AsyncStream<DownloadEvent>.Continuation
    }

    private let folder: URL
    private let places = Mutex<[Int: Place]>([:])
    private let session = Mutex<URLSession?>(nil)
    private let whenFinished = Mutex<CheckedContinuation<Void, Never>?>(nil)

    init(folder: URL, configuration: URLSessionConfiguration = .ephemeral) {
        self.folder = folder
        super.init()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let new = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
        session.withLock { $0 = new }
    }

    /// Waits for running downloads and starts no more.
    ///
    /// The session keeps its delegate until then.
    func finish() async {
        guard let session = session.withLock({ $0.take() }) else { return }
        await withCheckedContinuation { continuation in
            whenFinished.withLock { $0 = continuation }
            session.finishTasksAndInvalidate()
        }
    }

    func start(_ url: URL, as name: String) -> Download? {
        start(named: name) { $0.downloadTask(with: url) }
    }

    func resume(_ data: Data, as name: String) -> Download? {
        start(named: name) { $0.downloadTask(withResumeData: data) }
    }

    private func start(
        named name: String,
        _ make: (URLSession) -> URLSessionDownloadTask
    ) -> Download? {
        guard let session = session.withLock({ $0 }) else { return nil }
        let task = make(session)
        task.taskDescription = name
        let (events, continuation) = AsyncStream.makeStream(of: DownloadEvent.self)
        let target = folder.appendingPathComponent(name)
        places.withLock {
            $0[task.taskIdentifier] = Place(target: target, continuation: continuation)
        }
        task.resume()
        return Download(task: task, events: events)
    }

    private func notify(_ task: URLSessionTask, _ event: DownloadEvent) {
        let place = places.withLock { $0[task.taskIdentifier] }
        place?.continuation.yield(event)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        notify(
            downloadTask,
            .progress(written: totalBytesWritten, expected: totalBytesExpectedToWrite)
        )
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        notify(downloadTask, .resumed(offset: fileOffset, total: expectedTotalBytes))
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        let place = places.withLock { $0[downloadTask.taskIdentifier] }
        guard let place else { return }
        do {
            try? FileManager.default.removeItem(at: place.target)
            try FileManager.default.moveItem(at: location, to: place.target)
            let data = try Data(contentsOf: place.target)
            let isRight = data == Pattern.data(data.count)
            notify(downloadTask, .saved(bytes: data.count, isRight: isRight))
        } catch {
            notify(downloadTask, .notSaved(error))
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
        notify(task, .ended(error, status: status))
        let place = places.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        place?.continuation.finish()
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        whenFinished.withLock { $0.take() }?.resume()
    }
}
