public import CurlURLSession
internal import Foundation

// Each of these makes a task and resumes it.

extension HTTPSessionManager {
    /// Is given a task and what its response stands for.
    public typealias SuccessHandler = @Sendable (URLSessionDataTask, (any Sendable)?) -> Void

    /// Is given a task, or `nil` where there is none, and what went wrong.
    public typealias FailureHandler = @Sendable (URLSessionDataTask?, any Error) -> Void

    /// Sends a `GET` request.
    ///
    /// - Parameters:
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes, usually as a query; `nil` for nothing.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - progress: Called on the operation queue as the response's body comes.
    ///   - success: Is given the task and what the response stands for.
    ///   - failure: Is given the task and what went wrong.
    /// - Returns: The task, which is resumed; `nil` where the request can't be made.
    @discardableResult
    public func get(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        progress: ProgressHandler? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        resumed(
            dataTask(
                withHTTPMethod: .get,
                urlString: urlString,
                parameters: parameters,
                headers: headers,
                downloadProgress: progress,
                success: success,
                failure: failure
            )
        )
    }

    /// Sends a `HEAD` request, whose response has no body.
    ///
    /// - Parameters:
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes, usually as a query; `nil` for nothing.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - success: Is given the task, which has the response.
    ///   - failure: Is given the task and what went wrong.
    /// - Returns: The task, which is resumed; `nil` where the request can't be made.
    @discardableResult
    public func head(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        success: (@Sendable (URLSessionDataTask) -> Void)?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        var told: SuccessHandler?
        if let success { told = { task, _ in success(task) } }
        return resumed(
            dataTask(
                withHTTPMethod: .head,
                urlString: urlString,
                parameters: parameters,
                headers: headers,
                success: told,
                failure: failure
            )
        )
    }

    /// Sends a `POST` request.
    ///
    /// - Parameters:
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes, usually as the body; `nil` for nothing.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - progress: Called on the operation queue as the request's body is sent.
    ///   - success: Is given the task and what the response stands for.
    ///   - failure: Is given the task and what went wrong.
    /// - Returns: The task, which is resumed; `nil` where the request can't be made.
    @discardableResult
    public func post(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        progress: ProgressHandler? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        send(.post, urlString, parameters, headers, progress, success, failure)
    }

    /// Sends a `PUT` request.
    ///
    /// - Parameters:
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes, usually as the body; `nil` for nothing.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - success: Is given the task and what the response stands for.
    ///   - failure: Is given the task and what went wrong.
    /// - Returns: The task, which is resumed; `nil` where the request can't be made.
    @discardableResult
    public func put(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        send(.put, urlString, parameters, headers, nil, success, failure)
    }

    /// Sends a `PATCH` request.
    ///
    /// - Parameters:
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes, usually as the body; `nil` for nothing.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - success: Is given the task and what the response stands for.
    ///   - failure: Is given the task and what went wrong.
    /// - Returns: The task, which is resumed; `nil` where the request can't be made.
    @discardableResult
    public func patch(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        send(.patch, urlString, parameters, headers, nil, success, failure)
    }

    /// Sends a `DELETE` request.
    ///
    /// - Parameters:
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes, usually as a query; `nil` for nothing. See
    ///     ``HTTPRequestSerializer/httpMethodsEncodingParametersInURI`` to send them as the body.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - success: Is given the task and what the response stands for.
    ///   - failure: Is given the task and what went wrong.
    /// - Returns: The task, which is resumed; `nil` where the request can't be made.
    @discardableResult
    public func delete(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        send(.delete, urlString, parameters, headers, nil, success, failure)
    }

    private func send(
        _ method: HTTPMethod,
        _ urlString: String,
        _ parameters: Any?,
        _ headers: HTTPHeaders?,
        _ uploadProgress: ProgressHandler?,
        _ success: SuccessHandler?,
        _ failure: FailureHandler?
    ) -> URLSessionDataTask? {
        resumed(
            dataTask(
                withHTTPMethod: method,
                urlString: urlString,
                parameters: parameters,
                headers: headers,
                uploadProgress: uploadProgress,
                success: success,
                failure: failure
            )
        )
    }

    private func resumed(_ task: URLSessionDataTask?) -> URLSessionDataTask? {
        task?.resume()
        return task
    }
}
