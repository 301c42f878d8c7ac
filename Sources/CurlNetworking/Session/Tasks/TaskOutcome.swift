public import CurlURLSession
public import Foundation

/// The outcome of a manager's task.
public struct TaskOutcome: Sendable {
    /// The parts, shared by all copies.
    ///
    /// An outcome passes through several closures and queues. Each copy of its parts would retain
    /// about ten objects.
    private final class Shared: Sendable {
        let parts: Parts

        init(_ parts: Parts) {
            self.parts = parts
        }
    }

    private let shared: Shared

    init(_ parts: Parts) {
        shared = Shared(parts)
    }

    var parts: Parts { shared.parts }

    /// The response of the last attempt; `nil` if there was none.
    public var response: URLResponse? { shared.parts.response }

    /// The received body; `nil` for a download with a destination.
    public var data: Data? { shared.parts.data }

    /// The destination of a download's file.
    public var file: URL? { shared.parts.file }

    /// The task's metrics; `nil` if the task never started.
    public var metrics: URLSessionTaskMetrics? { shared.parts.metrics }

    /// The error of the transport, the move of the file, or the serializer.
    public var error: (any Error)? { shared.parts.error }

    /// The serializer, whether or not it was used.
    public var serializer: any URLResponseSerialization { shared.parts.serializer }

    /// The last request, after adaptation and redirects.
    public var request: URLRequest? { shared.parts.request }

    /// The object that the serializer created, or the file's URL.
    public var object: (any Sendable)? { shared.parts.object }

    /// How long the serializer took; zero if it wasn't used.
    public var serializationDuration: Duration { shared.parts.serializationDuration }
}

extension TaskOutcome {
    /// The parts of an outcome, until it is complete.
    struct Parts: Sendable {
        let response: URLResponse?
        let data: Data?
        let file: URL?
        let metrics: URLSessionTaskMetrics?
        var error: (any Error)?
        var serializer: any URLResponseSerialization
        var request: URLRequest?
        var object: (any Sendable)?
        var serializationDuration = Duration.zero
    }
}

extension TaskOutcome.Parts {
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
