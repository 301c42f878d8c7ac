public import CurlURLSession
public import Foundation

/// A completed request: its response, metrics and serialized value.
public struct DataResponse<Success: Sendable, Failure: Error>: Sendable {
    /// The request.
    public let request: URLRequest?
    /// The server's response, if there was one.
    public let response: HTTPURLResponse?
    /// The body, as received.
    public let data: Data?
    /// The metrics of the task, if they are known.
    public let metrics: URLSessionTaskMetrics?
    /// The time that serializing the body took.
    public let serializationDuration: Duration
    /// The value or the error.
    public let result: Result<Success, Failure>

    /// Creates a response.
    public init(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        metrics: URLSessionTaskMetrics?,
        serializationDuration: Duration,
        result: Result<Success, Failure>
    ) {
        self.request = request
        self.response = response
        self.data = data
        self.metrics = metrics
        self.serializationDuration = serializationDuration
        self.result = result
    }

    /// The value, if the result is a success.
    public var value: Success? { try? result.get() }

    /// The error, if the result is a failure.
    public var error: Failure? { if case .failure(let error) = result { error } else { nil } }

    // MARK: Transforming the result

    /// Returns a response with a transformed value.
    public func map<NewSuccess: Sendable>(
        _ transform: (Success) -> NewSuccess
    ) -> DataResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// Transforms the value, or fails with the error of `transform`.
    public func tryMap<NewSuccess: Sendable>(
        _ transform: (Success) throws -> NewSuccess
    ) -> DataResponse<NewSuccess, any Error> {
        switch result {
        case .success(let value): with(Result { try transform(value) })
        case .failure(let error): with(.failure(error))
        }
    }

    /// Returns a response with a transformed error.
    public func mapError<NewFailure: Error>(
        _ transform: (Failure) -> NewFailure
    ) -> DataResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    private func with<NewSuccess: Sendable, NewFailure: Error>(
        _ result: Result<NewSuccess, NewFailure>
    ) -> DataResponse<NewSuccess, NewFailure> {
        DataResponse<NewSuccess, NewFailure>(
            request: request,
            response: response,
            data: data,
            metrics: metrics,
            serializationDuration: serializationDuration,
            result: result
        )
    }
}

extension DataResponse where Failure == NetworkingError {
    /// Serializes a response, and measures how long that takes.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - response: The server's response.
    ///   - data: The body.
    ///   - metrics: The metrics of the task.
    ///   - error: The task's error. If there is one, the body isn't serialized.
    ///   - serializer: The serializer of the value.
    public init(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        metrics: URLSessionTaskMetrics? = nil,
        error: (any Error)? = nil,
        serializer: some ResponseValueSerialization<Success>
    ) {
        let clock = ContinuousClock()
        let begin = clock.now
        let result: Result<Success, NetworkingError>
        do {
            if let error { throw error }
            result = .success(try serializer.value(for: request, response: response, data: data))
        } catch {
            result = .failure(NetworkingError(error))
        }
        self.init(
            request: request,
            response: response,
            data: data,
            metrics: metrics,
            serializationDuration: error == nil ? begin.duration(to: clock.now) : .zero,
            result: result
        )
    }
}
