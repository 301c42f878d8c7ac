public import CurlURLSession
public import Foundation

/// All that is known of a download when it is over, and what was made of its file.
public struct DownloadResponse<Success: Sendable, Failure: Error>: Sendable {
    /// What was asked.
    public let request: URLRequest?
    /// What the server answered, if it did.
    public let response: HTTPURLResponse?
    /// Where the file was to go, if it has come; it is there unless ``error`` says that it couldn't be moved.
    public let fileURL: URL?
    /// With what the download goes on, if it has failed and can.
    public let resumeData: Data?
    /// What the exchange took, if that is known.
    public let metrics: URLSessionTaskMetrics?
    /// How long it took to make a value of the file, or to check the response.
    public let serializationDuration: Duration
    /// The value, or what went wrong.
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

    /// The value, if there is one.
    public var value: Success? { try? result.get() }

    /// What went wrong, if something did.
    public var error: Failure? { if case .failure(let error) = result { error } else { nil } }

    // MARK: Changing the result

    /// The same with another value.
    public func map<NewSuccess: Sendable>(
        _ transform: (Success) -> NewSuccess
    ) -> DownloadResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// The same with another value, or with what `transform` throws.
    public func tryMap<NewSuccess: Sendable>(
        _ transform: (Success) throws -> NewSuccess
    ) -> DownloadResponse<NewSuccess, any Error> {
        switch result {
        case .success(let value): with(Result { try transform(value) })
        case .failure(let error): with(.failure(error))
        }
    }

    /// The same with another error.
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
