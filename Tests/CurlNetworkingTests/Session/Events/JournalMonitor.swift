internal import Dispatch
internal import Foundation
internal import TestSupport

@testable internal import CurlNetworking

/// Records each event in a few words.
final class JournalMonitor: EventMonitor {
    let queue = DispatchQueue(label: "journal")
    let wantsData: Bool
    let recorder = EventRecorder<String>()
    private let key = DispatchSpecificKey<Bool>()
    private let strays = Watched(0)

    init(wantsData: Bool = true) {
        self.wantsData = wantsData
        queue.setSpecific(key: key, value: true)
    }

    var events: [String] { recorder.events }

    /// Whether all events came on the queue.
    var isOnQueue: Bool { strays.read { $0 } == 0 }

    /// Waits until a task has completed.
    func ended() async throws {
        _ = try await recorder.first { $0.hasPrefix("completed") }
    }

    /// Waits until all events that are already enqueued have been delivered.
    func settle() async {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }

    private func note(_ event: String) {
        if DispatchQueue.getSpecific(key: key) != true { strays.update { $0 += 1 } }
        recorder.record(event)
    }

    private func text(_ object: (any Sendable)?, _ error: (any Error)?) -> String {
        if error != nil { return "error" }
        if let file = object as? URL { return file.lastPathComponent }
        return (object as? Data).map { "\($0.count)" } ?? "nothing"
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        note("invalid")
    }

    func taskDidCreate(_ task: URLSessionTask) { note("created") }
    func taskDidResume(_ task: URLSessionTask) { note("resumed") }
    func taskDidSuspend(_ task: URLSessionTask) { note("suspended") }
    func didFailToCreateRequest(with error: any Error) { note("no request") }

    func task(_ task: URLSessionTask, didAdapt request: URLRequest, to adapted: URLRequest) {
        note("adapted")
    }

    func task(_ task: URLSessionTask, didFailToAdapt request: URLRequest, error: any Error) {
        note("not adapted")
    }

    func task(
        _ task: URLSessionTask,
        didSerialize object: (any Sendable)?,
        error: (any Error)?
    ) {
        note("serialized \(text(object, error))")
    }

    func taskWillRetry(_ task: URLSessionTask, dueTo error: any Error, after delay: TimeInterval) {
        note("retry \(error)")
    }

    func task(_ task: URLSessionTask, didCompleteWith outcome: TaskOutcome) {
        note("completed \(text(outcome.object, outcome.error))")
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note("sent")
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) {
        note("redirect \(response.statusCode) \(request.url?.path ?? "")")
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        note("metrics")
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        note("over")
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse
    ) {
        note("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note("data")
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        note("written \(totalBytesWritten)")
    }

    func downloadTask(_ task: URLSessionDownloadTask, didMoveFileTo file: URL) {
        note("moved \(file.lastPathComponent)")
    }

    func downloadTask(
        _ task: URLSessionDownloadTask,
        didFailToMoveFileTo file: URL,
        error: any Error
    ) {
        note("not moved \(file.lastPathComponent)")
    }
}
