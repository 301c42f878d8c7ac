public import CurlURLSession
internal import Foundation

extension HTTPSessionManager {
    /// Creates a task for any method, with `Encodable` parameters. It begins with `resume()`.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes: as a query, a form, JSON or a property list.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - uploadProgress: Called on the operation queue as the request's body is sent.
    ///   - downloadProgress: Called on the operation queue as the response's body comes.
    ///   - success: Is given the task and what the response stands for.
    ///   - failure: Is given the task and what went wrong.
    /// - Returns: `nil` where the request can't be made.
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
            let end = VerbEnd(success: success, failure: failure)
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
