internal import CurlURLSession
internal import Foundation

// What happens in the same way to tasks of the manager, and to those that somebody has created by its
// session.

extension ManagerCore {
    /// Tells that bytes of a body were sent.
    func task(
        _ task: URLSessionTask,
        of session: URLSession,
        hasSent count: Int64,
        _ totalSent: Int64,
        _ expected: Int64
    ) {
        guard let handler = handler({ $0.taskDidSendBodyData }) else { return }
        let announced = task.originalRequest?.value(forHTTPHeaderField: "Content-Length")
        let total = expected == -1 ? announced.flatMap { Int64($0) } ?? -1 : expected
        handler(session, task, count, totalSent, total)
    }

    /// Moves a download's file and says whether that was done.
    ///
    /// - Returns: Why it couldn't be.
    func move(
        _ location: URL,
        to file: URL,
        _ options: DownloadOptions,
        of task: URLSessionDownloadTask
    ) -> (any Error)? {
        do {
            let manager = FileManager.default
            if options.contains(.createIntermediateDirectories) {
                try manager.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
            }
            if options.contains(.removePreviousFile), manager.fileExists(atPath: file.path) {
                try manager.removeItem(at: file)
            }
            try manager.moveItem(at: location, to: file)
        } catch {
            var info: [AnyHashable: Any] = (error as NSError).userInfo
            info[URLSessionDownloadTaskDidFailToMoveFileErrorKey] = error as NSError
            NotificationCenter.default.post(
                name: .urlSessionDownloadTaskDidFailToMoveFile,
                object: task,
                userInfo: info
            )
            return error
        }
        NotificationCenter.default.post(
            name: .urlSessionDownloadTaskDidMoveFileSuccessfully,
            object: task
        )
        return nil
    }

    /// Has the response of a task that is over serialized, if there is no error, and told.
    func finish(
        _ task: URLSessionTask,
        _ remains: TaskDelegateState.Remains,
        error: (any Error)?,
        _ consumer: OutcomeConsumer
    ) {
        let outcome = TaskOutcome(
            response: task.response,
            data: remains.file == nil ? remains.data : nil,
            file: remains.file,
            metrics: remains.metrics,
            error: remains.challengeError ?? error,
            serializer: remains.serializer ?? read(\.responseSerializer)
        )
        guard outcome.error == nil else {
            return complete(task, outcome, consumer, keeping: remains.kept)
        }
        ProcessingQueue.shared.async { [self] in
            var outcome = outcome
            // It may have been exchanged meanwhile: what counts is what there is when it is used.
            outcome.serializer = remains.serializer ?? read(\.responseSerializer)
            outcome.serialize()
            if outcome.error == nil { outcome.error = remains.fileError }
            complete(task, outcome, consumer, keeping: remains.kept)
        }
    }
}

extension TaskOutcome {
    /// What of a download goes into a file, the serializer doesn't see.
    fileprivate mutating func serialize() {
        let made = serializer.responseObject(
            for: response,
            data: data ?? Data(),
            error: &error
        )
        object = file ?? made
    }
}
