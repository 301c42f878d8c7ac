public import CurlURLSession
public import Foundation

/// A completed download: its response, file, metrics and serialized value.
public struct DownloadResponse<Success: Sendable, Failure: Error>: Sendable {
    /// The request.
    public let request: URLRequest?
    /// The server's response, if there was one.
    public let response: HTTPURLResponse?
    /// The destination of the file, if the file was received.
    ///
    /// The file exists unless ``error`` reports that it couldn't be moved.
    public let fileURL: URL?
    /// The data to resume a failed download with, if available.
    public let resumeData: Data?
    /// The metrics of the task, if they are known.
    public let metrics: URLSessionTaskMetrics?
    /// The time that serializing the file, or checking the response, took.
    public let serializationDuration: Duration
    /// The value or the error.
    public let result: Result<Success, Failure>

    /// Creates a response.
    public init(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        resumeData: Data?,
        metrics: URLSessionTaskMetrics?,
        serializationDuration: Duration,
        result: Result<Success, Failure>
    ) {
        self.request = request
        self.response = response
        self.fileURL = fileURL
        self.resumeData = resumeData
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
    ) -> DownloadResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// Transforms the value, or fails with the error of `transform`.
    public func tryMap<NewSuccess: Sendable>(
        _ transform: (Success) throws -> NewSuccess
    ) -> DownloadResponse<NewSuccess, any Error> {
        switch result {
        case .success(let value): with(Result { try transform(value) })
        case .failure(let error): with(.failure(error))
        }
    }

    /// Returns a response with a transformed error.
    public func mapError<NewFailure: Error>(
        _ transform: (Failure) -> NewFailure
    ) -> DownloadResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    private func with<NewSuccess: Sendable, NewFailure: Error>(
        _ result: Result<NewSuccess, NewFailure>
    ) -> DownloadResponse<NewSuccess, NewFailure> {
        DownloadResponse<NewSuccess, NewFailure>(
            request: request,
            response: response,
            fileURL: fileURL,
            resumeData: resumeData,
            metrics: metrics,
            serializationDuration: serializationDuration,
            result: result
        )
    }
}
