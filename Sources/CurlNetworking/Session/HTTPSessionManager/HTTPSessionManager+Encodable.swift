public import CurlURLSession
internal import Foundation

extension HTTPSessionManager {
    /// Creates a task for any method, with `Encodable` parameters.
    ///
    /// The task starts with `resume()`.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer: as a query, a form, JSON or a property
    ///     list.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - uploadProgress: Called on the operation queue as the request's body is sent.
    ///   - downloadProgress: Called on the operation queue as the response's body arrives.
    ///   - success: Called with the task and the serialized response.
    ///   - failure: Called with the task and the error.
    /// - Returns: The task; `nil` if the request can't be created.
    public func dataTask(
        withHTTPMethod method: HTTPMethod,
        urlString: String,
        encoding parameters: some Encodable,
        headers: HTTPHeaders? = nil,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        do {
            let request = try request(urlString, headers) { serializer, url in
                try serializer.request(withMethod: method, urlString: url, encoding: parameters)
            }
            let end = SuccessFailureHandler(success: success, failure: failure)
            let task = dataTask(
                with: request,
                uploadProgress: uploadProgress,
                downloadProgress: downloadProgress,
                completionHandler: end.handler
            )
            end.task = task
            return task
        } catch {
            fail(with: error, failure)
            return nil
        }
    }
}
