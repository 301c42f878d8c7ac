public import CurlURLSession
public import Foundation
internal import Synchronization

/// The outcome of a manager's task.
public struct TaskOutcome: Sendable {
    /// The response of the last attempt; `nil` if there was none.
    public let response: URLResponse?
    /// The received body; `nil` for a download with a destination.
    public let data: Data?
    /// The destination of a download's file.
    public let file: URL?
    /// The task's metrics; `nil` if the task never started.
    public let metrics: URLSessionTaskMetrics?
    /// The error of the transport, the move of the file, or the serializer.
    public internal(set) var error: (any Error)?
    /// The serializer, whether or not it was used.
    public internal(set) var serializer: any URLResponseSerialization
    /// The last request, after adaptation and redirects.
    public internal(set) var request: URLRequest?
    /// The object that the serializer created, or the file's URL.
    public internal(set) var object: (any Sendable)?
    /// How long the serializer took; zero if it wasn't used.
    public internal(set) var serializationDuration = Duration.zero

    /// The user info of the notification that a task has completed.
    var userInfo: [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [
            NetworkingTaskDidCompleteResponseSerializerKey: serializer
        ]
        if let object { info[NetworkingTaskDidCompleteSerializedResponseKey] = object }
        if let error { info[NetworkingTaskDidCompleteErrorKey] = error }
        if let metrics { info[NetworkingTaskDidCompleteSessionTaskMetrics] = metrics }
        if let file {
            info[NetworkingTaskDidCompleteAssetPathKey] = file
        } else if let data {
            info[NetworkingTaskDidCompleteResponseDataKey] = data
        }
        return info
    }
}

/// The consumer of a task's outcome.
enum OutcomeConsumer: Sendable {
    case noHandler
    case handler(URLSessionManager.CompletionHandler)
    case downloadHandler(URLSessionManager.DownloadCompletionHandler)
    /// A Swift task that waits; it is resumed without a queue.
    case swiftTask(@Sendable (TaskOutcome) -> Void)

    var isSwiftTask: Bool {
        if case .swiftTask = self { true } else { false }
    }

    var hasHandler: Bool {
        if case .noHandler = self { false } else { true }
    }

    func take(_ outcome: TaskOutcome) {
        switch self {
        case .noHandler:
            break
        case .handler(let handler):
            handler(outcome.response, outcome.object, outcome.error)
        case .downloadHandler(let handler):
            handler(outcome.response, outcome.object as? URL, outcome.error)
        case .swiftTask(let resume):
            resume(outcome)
        }
    }
}

/// Passes a task's outcome to the Swift task that waits for it. Either may come first.
final class OutcomeWaiter: Sendable {
    private enum State: Sendable {
        case open
        case waiting(CheckedContinuation<TaskOutcome, Never>)
        case done(TaskOutcome)
    }

    private let state = Mutex(State.open)

    /// Stores the outcome, or resumes the Swift task that waits for it.
    func take(_ outcome: TaskOutcome) {
        let continuation = state.withLock { state -> CheckedContinuation<TaskOutcome, Never>? in
            guard case .waiting(let continuation) = state else {
                state = .done(outcome)
                return nil
            }
            state = .done(outcome)
            return continuation
        }
        continuation?.resume(returning: outcome)
    }

    /// Waits for the outcome. Call it once.
    func outcome() async -> TaskOutcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> TaskOutcome? in
                if case .done(let outcome) = state { return outcome }
                state = .waiting(continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
