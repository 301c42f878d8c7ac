public import CurlURLSession
public import Foundation

extension DataResponse where Failure == NetworkingError {
    /// Makes a value of what has come, and takes the time.
    ///
    /// - Parameters:
    ///   - request: What was asked.
    ///   - response: What the server answered.
    ///   - data: The body.
    ///   - metrics: What the exchange took.
    ///   - error: What kept it from coming to an end; nothing is made of the body then.
    ///   - serializer: What makes the value.
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
