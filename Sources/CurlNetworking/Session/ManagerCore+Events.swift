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
        monitors?.tell {
            $0.urlSession(
                session,
                task: task,
                didSendBodyData: count,
                totalBytesSent: totalSent,
                totalBytesExpectedToSend: expected
            )
        }
        guard let handler = handler({ $0.taskDidSendBodyData }) else { return }
        let announced = task.originalRequest?.value(forHTTPHeaderField: "Content-Length")
        let total = expected == -1 ? announced.flatMap { Int64($0) } ?? -1 : expected
        handler(session, task, count, totalSent, total)
    }

    /// Moves a download's file and says whether that was done.
    ///
    /// - Parameter refusal: Why the response isn't acceptable, for which no former file is given away.
    /// - Returns: Why it couldn't be.
    func move(
        _ location: URL,
        to file: URL,
        _ options: DownloadOptions,
        refusal: (any Error)? = nil,
        of task: URLSessionDownloadTask
    ) -> (any Error)? {
        do {
            let manager = FileManager.default
            let replaces = options.contains(.removePreviousFile)
            if replaces, let refusal, manager.fileExists(atPath: file.path) { throw refusal }
            if options.contains(.createIntermediateDirectories) {
                try manager.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
            }
            if replaces, refusal == nil {
                try manager.replaceItem(at: file, withFileAt: location)
            } else {
                try manager.moveItem(at: location, to: file)
            }
        } catch {
            tellDidFailToMove(task, to: file, error)
            return error
        }
        tellDidMove(task, to: file)
        return nil
    }

    /// Has the response of a task that is over serialized, if there is no error, and told.
    func finish(
        _ task: URLSessionTask,
        _ remains: TaskDelegateState.Remains,
        error: (any Error)?,
        _ consumer: OutcomeConsumer
    ) {
        var outcome = TaskOutcome(
            response: task.response,
            data: remains.file == nil ? remains.data : nil,
            file: remains.file,
            metrics: remains.metrics,
            error: remains.challengeError ?? error,
            serializer: remains.serializer ?? read(\.responseSerializer),
            request: task.currentRequest ?? task.originalRequest
        )
        if let end = remains.interception?.finish(), outcome.take(end, fileError: remains.fileError)
        {
            return complete(task, outcome, consumer, keeping: remains.kept)
        }
        guard outcome.error == nil else {
            return complete(task, outcome, consumer, keeping: remains.kept)
        }
        ProcessingQueue.shared.async { [self, outcome] in
            var outcome = outcome
            // It may have been exchanged meanwhile: what counts is what there is when it is used.
            outcome.serializer = remains.serializer ?? read(\.responseSerializer)
            outcome.serialize()
            tellDidSerialize(task, outcome)
            if outcome.error == nil { outcome.error = remains.fileError }
            complete(task, outcome, consumer, keeping: remains.kept)
        }
    }
}

extension ManagerCore {
    /// What an attempt's response stands for.
    func serialized(
        _ task: URLSessionTask,
        data: Data,
        serializer: (any URLResponseSerialization)?
    ) -> TaskOutcome {
        var outcome = TaskOutcome(
            response: task.response,
            data: data,
            file: nil,
            metrics: nil,
            error: nil,
            serializer: serializer ?? read(\.responseSerializer),
            request: task.currentRequest ?? task.originalRequest
        )
        outcome.serialize()
        tellDidSerialize(task, outcome)
        return outcome
    }
}

extension TaskOutcome {
    /// Takes over how the last attempt came out. False if nothing is known of that.
    fileprivate mutating func take(_ end: TaskInterception.End, fileError: (any Error)?) -> Bool {
        // Whoever has cancelled the task meanwhile is told so.
        guard (error as? URLError)?.code != .cancelled else { return true }
        if let serialized = end.serialized, error == nil {
            serializer = serialized.serializer
            serializationDuration = serialized.serializationDuration
            object = file ?? serialized.object
            error = serialized.error ?? fileError
        } else if error == nil {
            return false
        }
        if let replacement = end.error { error = replacement }
        return true
    }

    /// What of a download goes into a file, the serializer doesn't see.
    fileprivate mutating func serialize() {
        let clock = ContinuousClock()
        let begin = clock.now
        let made = AnsweredRequest.$current.withValue(request) {
            serializer.responseObject(for: response, data: data ?? Data(), error: &error)
        }
        serializationDuration = begin.duration(to: clock.now)
        object = file ?? made
    }
}
