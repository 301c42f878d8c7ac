internal import CurlURLSession
internal import Foundation

// The handling that is common to the manager's own tasks and to tasks that the user has created
// with its session.

extension ManagerCore {
    /// Moves a download's file, and reports the result.
    ///
    /// - Parameter refusal: Why the response isn't acceptable; with it, no existing file is
    ///   replaced.
    /// - Returns: The error; `nil` if the file was moved.
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
            post(.didFailToMoveFile(task, file: file, error: error))
            return error
        }
        post(.didMoveFile(task, file: file))
        return nil
    }

    /// Serializes a completed task's response, and delivers the outcome. A task with an error isn't
    /// serialized.
    func finish(
        _ task: URLSessionTask,
        _ remains: TaskDelegateState.Remains,
        error: (any Error)?,
        _ consumer: OutcomeConsumer
    ) {
        var outcome = TaskOutcome(
            response: task.response,
            data: remains.file == nil ? task.takeCollectedBody() : nil,
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
            // The manager's serializer may have been replaced meanwhile; the current one applies.
            outcome.serializer = remains.serializer ?? read(\.responseSerializer)
            outcome.serialize()
            notify(.didSerialize(task, object: outcome.object, error: outcome.error))
            if outcome.error == nil { outcome.error = remains.fileError }
            complete(task, outcome, consumer, keeping: remains.kept)
        }
    }
}

extension ManagerCore {
    /// Serializes the response of an attempt.
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
        notify(.didSerialize(task, object: outcome.object, error: outcome.error))
        return outcome
    }
}

extension TaskOutcome {
    /// Takes over the result of the last attempt. Returns false if there is none.
    fileprivate mutating func take(_ end: TaskInterception.End, fileError: (any Error)?) -> Bool {
        // A task that was cancelled meanwhile reports the cancellation.
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

    /// Runs the serializer. The body of a download, which is in a file, isn't passed to it.
    fileprivate mutating func serialize() {
        let clock = ContinuousClock()
        let begin = clock.now
        let made = CurrentRequest.$current.withValue(request) {
            serializer.responseObject(for: response, data: data ?? Data(), error: &error)
        }
        serializationDuration = begin.duration(to: clock.now)
        object = file ?? made
    }
}

extension InputStream {
    /// A copy of the stream, which starts at the first byte; `nil` if it can't be copied.
    var anotherOne: InputStream? {
        (self as? any NSCopying)?.copy(with: nil) as? InputStream
    }
}
