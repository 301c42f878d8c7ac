public import CurlURLSession
internal import Foundation
internal import Synchronization

// Each of these methods creates a task and resumes it.

extension HTTPSessionManager {
    /// Called with a task and its serialized response.
    public typealias SuccessHandler = @Sendable (URLSessionDataTask, (any Sendable)?) -> Void

    /// Called with a task, or `nil` if there is none, and the error.
    public typealias FailureHandler = @Sendable (URLSessionDataTask?, any Error) -> Void

    /// Sends a `GET` request.
    ///
    /// - Parameters:
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer, usually as a query; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - progress: Called on the operation queue as the response's body arrives.
    ///   - success: Called with the task and the serialized response.
    ///   - failure: Called with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
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
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer, usually as a query; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - success: Called with the task, which has the response.
    ///   - failure: Called with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    public func head(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        success: (@Sendable (URLSessionDataTask) -> Void)?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        var handler: SuccessHandler?
        if let success { handler = { task, _ in success(task) } }
        return resumed(
            dataTask(
                withHTTPMethod: .head,
                urlString: urlString,
                parameters: parameters,
                headers: headers,
                success: handler,
                failure: failure
            )
        )
    }

    /// Sends a `POST` request.
    ///
    /// - Parameters:
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer, usually as the body; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - progress: Called on the operation queue as the request's body is sent.
    ///   - success: Called with the task and the serialized response.
    ///   - failure: Called with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
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
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer, usually as the body; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - success: Called with the task and the serialized response.
    ///   - failure: Called with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
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
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer, usually as the body; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - success: Called with the task and the serialized response.
    ///   - failure: Called with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
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
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer, usually as a query; `nil` for none. See
    ///     ``HTTPRequestSerializer/httpMethodsEncodingParametersInURI`` to send them as the body.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - success: Called with the task and the serialized response.
    ///   - failure: Called with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
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

/// Calls the success or the failure handler with a task's outcome.
final class SuccessFailureHandler: Sendable {
    private struct State: Sendable {
        /// Weak, since the task retains this object through its delegate. The caller of the
        /// completion retains the task.
        weak var task: URLSessionDataTask?
    }

    private let success: HTTPSessionManager.SuccessHandler?
    private let failure: HTTPSessionManager.FailureHandler?
    private let state = Mutex(State())

    init(
        success: HTTPSessionManager.SuccessHandler?,
        failure: HTTPSessionManager.FailureHandler?
    ) {
        self.success = success
        self.failure = failure
    }

    var task: URLSessionDataTask? {
        get { state.withLock { $0.task } }
        set { state.withLock { $0.task = newValue } }
    }

    /// The completion handler; `nil` if there are no handlers.
    var handler: URLSessionManager.CompletionHandler? {
        guard success != nil || failure != nil else { return nil }
        return { [self] _, object, error in
            let task = task
            if let error {
                failure?(task, error)
            } else if let task {
                success?(task, object)
            }
        }
    }
}
