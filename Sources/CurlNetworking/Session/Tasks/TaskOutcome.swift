public import CurlURLSession
internal import DequeModule
internal import Dispatch
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
        if let error { info[NetworkingTaskDidCompleteErrorKey] = NSError.castable(error) }
        if let metrics { info[NetworkingTaskDidCompleteSessionTaskMetrics] = metrics }
        if let file {
            info[NetworkingTaskDidCompleteAssetPathKey] = file
        } else if let data {
            info[NetworkingTaskDidCompleteResponseDataKey] = data
        }
        return info
    }
}

extension TaskOutcome {
    /// Takes over the result of the last attempt. Returns false if there is none.
    mutating func take(_ end: TaskInterception.End, fileError: (any Error)?) -> Bool {
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
    mutating func serialize() {
        let clock = ContinuousClock()
        let begin = clock.now
        let made = CurrentRequest.$current.withValue(request) {
            serializer.responseObject(for: response, data: data ?? Data(), error: &error)
        }
        serializationDuration = begin.duration(to: clock.now)
        object = file ?? made
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

/// Serializes responses concurrently, at most as many at once as there are processors.
///
/// Queued work starts in order, and occupies no thread while it waits.
final class ProcessingQueue: Sendable {
    /// The instance for all managers of the process.
    static let shared = ProcessingQueue(width: ProcessInfo.processInfo.activeProcessorCount)

    private struct Work: Sendable {
        let body: @Sendable () -> Void
    }

    private struct State: Sendable {
        var waiting = Deque<Work>()
        var running = 0
    }

    private let width: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(
        label: "curl-networking-processing",
        attributes: .concurrent
    )

    /// - Parameter width: The maximum number of concurrent closures.
    init(width: Int) {
        self.width = max(1, width)
    }

    /// Runs a closure on any thread, after all closures before it have started.
    func async(_ body: @escaping @Sendable () -> Void) {
        let hasRoom = state.withLock { state in
            state.waiting.append(Work(body: body))
            guard state.running < width else { return false }
            state.running += 1
            return true
        }
        if hasRoom { queue.async { [self] in work() } }
    }

    /// Runs queued closures one after the other, until none is left.
    private func work() {
        while let work = next() { work.body() }
    }

    private func next() -> Work? {
        state.withLock { state in
            let work = state.waiting.popFirst()
            if work == nil {
                assert(state.running > 0, "a worker ended that wasn't counted")
                state.running -= 1
            }
            return work
        }
    }
}
