internal import CurlURLSession
internal import Dispatch
internal import Foundation
internal import Synchronization

// Creates the requests of an HTTP manager, and reports those that can't be created.

extension HTTPSessionManager {
    /// Creates a request with the serializer, and sets its own header fields.
    ///
    /// - Parameter make: Called with the serializer and an absolute URL; returns the request.
    func request(
        _ urlString: String,
        _ headers: HTTPHeaders?,
        _ make: (HTTPRequestSerializer, String) throws -> URLRequest
    ) throws -> URLRequest {
        var request = try make(requestSerializer, absolute(urlString))
        for header in headers ?? [] {
            request.setValue(header.value, forHTTPHeaderField: header.name)
        }
        return request
    }

    func formRequest(
        _ urlString: String,
        _ parameters: Any?,
        _ headers: HTTPHeaders?,
        _ block: ((any MultipartFormData) throws -> Void)?
    ) throws -> URLRequest {
        try request(urlString, headers) { serializer, url in
            try serializer.multipartFormRequest(
                withMethod: .post,
                urlString: url,
                parameters: parameters,
                constructingBodyWith: block
            )
        }
    }

    private func absolute(_ urlString: String) throws -> String {
        let base = baseURL
        if urlString.isEmpty, let base { return base.absoluteString }
        guard let url = URL(string: urlString, relativeTo: base) else {
            throw URLRequestSerializationError.invalidURL(urlString)
        }
        return url.absoluteString
    }

    /// Calls the failure handler for a request that couldn't be created. It is called after the
    /// calling method has returned.
    func fail(with error: any Error, _ failure: FailureHandler?) {
        asked(about: error) { [core] error in
            guard let failure else { return }
            if let queue = core.read(\.completionQueue) {
                queue.async { failure(nil, error) }
            } else {
                core.mainQueue.async(group: DispatchGroup(), isAwaited: true) {
                    failure(nil, error)
                }
            }
        }
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
