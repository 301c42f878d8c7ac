internal import CurlURLSession
internal import Foundation

extension DataResponse where Failure == NetworkingError {
    /// Creates the response of a task whose own serializer returned the value.
    init(_ outcome: TaskOutcome) {
        self.init(
            request: outcome.request,
            response: outcome.response as? HTTPURLResponse,
            data: outcome.data,
            metrics: outcome.metrics,
            serializationDuration: outcome.serializationDuration,
            result: outcome.result { outcome.object as? Success }
        )
    }

    /// Creates the response of a request that couldn't be created.
    init(unsent error: any Error) {
        self.init(
            request: nil,
            response: nil,
            data: nil,
            metrics: nil,
            serializationDuration: .zero,
            result: .failure(NetworkingError(error))
        )
    }
}

extension DownloadResponse where Failure == NetworkingError {
    private init(
        _ outcome: TaskOutcome,
        _ result: Result<Success, NetworkingError>,
        took duration: Duration
    ) {
        self.init(
            request: outcome.request,
            response: outcome.response as? HTTPURLResponse,
            fileURL: outcome.file,
            resumeData: outcome.error.flatMap { NetworkingError($0).resumeData },
            metrics: outcome.metrics,
            serializationDuration: duration,
            result: result
        )
    }

    /// Creates the response of a download and serializes its file.
    ///
    /// It blocks on disk I/O.
    init(_ outcome: TaskOutcome, _ serializer: some ResponseValueSerialization<Success>) {
        let clock = ContinuousClock()
        let begin = clock.now
        do {
            if let error = outcome.error { throw error }
            guard let file = outcome.file else { throw URLError(.badServerResponse) }
            let value = try serializer.value(
                for: outcome.request,
                response: outcome.response as? HTTPURLResponse,
                data: Data(contentsOf: file)
            )
            self.init(outcome, .success(value), took: begin.duration(to: clock.now))
        } catch {
            let duration = outcome.error == nil ? begin.duration(to: clock.now) : .zero
            self.init(outcome, .failure(NetworkingError(error)), took: duration)
        }
    }

    /// Creates the response of a request that couldn't be created.
    init(unsent error: any Error) {
        self.init(
            request: nil,
            response: nil,
            fileURL: nil,
            resumeData: nil,
            metrics: nil,
            serializationDuration: .zero,
            result: .failure(NetworkingError(error))
        )
    }
}

extension DownloadResponse where Success == URL, Failure == NetworkingError {
    /// Creates the response of a download that the manager's serializer has checked.
    init(_ outcome: TaskOutcome) {
        self.init(
            outcome,
            outcome.result { outcome.file },
            took: outcome.serializationDuration
        )
    }
}

extension TaskOutcome {
    /// The error, or otherwise the given value.
    fileprivate func result<Value>(_ value: () -> Value?) -> Result<Value, NetworkingError> {
        if let error { return .failure(NetworkingError(error)) }
        return value().map { .success($0) }
            ?? .failure(NetworkingError(URLError(.cannotDecodeContentData)))
    }
}
