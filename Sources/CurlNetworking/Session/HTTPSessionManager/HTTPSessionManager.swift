public import CurlURLSession
internal import Dispatch
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: the only stored property that it adds is a constant lock. The compiler
// proves that the lock is `Sendable` with all that it protects.
/// Sends HTTP requests that consist of a method, a path and parameters.
///
/// It reports success and failure to separate handlers. It corresponds to AFNetworking's
/// `AFHTTPSessionManager`.
///
/// ```swift
/// let manager = HTTPSessionManager(baseURL: URL(string: "http://api.example.com/v1"))
/// manager.get("users", parameters: ["page": 2]) { task, users in
///     print(users ?? "no users")
/// } failure: { task, error in
///     print(error)
/// }
/// let users = try await manager.get("users", parameters: ["page": 2])
/// ```
///
/// URL strings are resolved against ``baseURL`` (RFC 3986, 5). With `http://h/v1/`, `foo` and
/// `foo?a=b` are below `v1`, `/foo` is below the host, the empty string is the base URL itself, and
/// an absolute URL stays as it is.
///
/// A response with an error of the transport or of the serializer is a failure, even if the
/// serializer created an object from its body. Handlers are called on the manager's
/// `completionQueue`. A request that can't be created is a failure without a task: the method
/// returns `nil`, and the handler is called afterwards, outside of the `completionGroup`.
///
/// The methods here resume the task that they return, except `dataTask(withHTTPMethod:…)`.
open class HTTPSessionManager: URLSessionManager, @unchecked Sendable {
    private let http = Mutex<State>(State())

    /// The properties that the class adds to a manager.
    private struct State: Sendable {
        var baseURL: URL?
        var requestSerializer = HTTPRequestSerializer()
    }

    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - url: The base of relative URL strings; `nil` if all of them are absolute. A path gets a
    ///     slash at its end: without it, the path's last segment would be replaced.
    ///   - configuration: The session's configuration, which is copied;
    ///     `URLSessionConfiguration.default` if `nil`.
    public init(
        baseURL url: URL?,
        sessionConfiguration configuration: URLSessionConfiguration? = nil
    ) {
        super.init(sessionConfiguration: configuration)
        http.withLock { $0.baseURL = url.map { Self.base($0) } }
    }

    /// Creates a manager without a base URL.
    public override convenience init(sessionConfiguration configuration: URLSessionConfiguration?) {
        self.init(baseURL: nil, sessionConfiguration: configuration)
    }

    override init(core: ManagerCore) {
        super.init(core: core)
    }

    /// Creates a manager with the default configuration.
    ///
    /// It has a session of its own, and so connections of its own: keep it as long as there are
    /// requests.
    open class func manager() -> HTTPSessionManager {
        HTTPSessionManager(baseURL: nil)
    }

    /// Appends a slash to the URL's path, unless that is empty.
    private static func base(_ url: URL) -> URL {
        let url = url.absoluteURL
        guard !url.path.isEmpty, !url.absoluteString.hasSuffix("/") else { return url }
        return url.appendingPathComponent("")
    }

    /// The base of relative URL strings; `nil` if all have to be absolute.
    open var baseURL: URL? { http.withLock { $0.baseURL } }

    /// Creates requests. By default it encodes parameters as a query or a form.
    open var requestSerializer: HTTPRequestSerializer {
        get { http.withLock { $0.requestSerializer } }
        set {
            // The old value may be the last reference to an object of the user's; it is released
            // outside of the lock.
            var former = newValue
            http.withLock { swap(&$0.requestSerializer, &former) }
        }
    }

    /// Evaluates servers' certificates before anything is sent to them.
    ///
    /// See ``URLSessionManager/securityPolicy``. A policy that pins certificates can't protect
    /// requests without TLS: those to URLs that aren't `https` fail with ``InvalidSecurityPolicy``. If
    /// the policy is set although ``baseURL`` isn't `https`, that is logged, and all requests that the
    /// manager creates fail. Then tasks for `http` requests that the program has created fail, too.
    /// Use ``setSecurityPolicy(_:)`` to get the error at once.
    open override var securityPolicy: SecurityPolicy {
        get { super.securityPolicy }
        set {
            super.securityPolicy = newValue
            guard let baseURL, !baseURL.isHTTPS, newValue.sslPinningMode != .none else { return }
            NSLog("%@", InvalidSecurityPolicy(mode: newValue.sslPinningMode).reason)
        }
    }

    /// Refuses requests of the program without TLS that the security policy was to protect.
    ///
    /// With an `https` base URL, the policy is for that server, and others may have no TLS.
    override func refusal(of request: URLRequest) -> (any Error)? {
        let mode = core.read(\.securityPolicy).sslPinningMode
        guard mode != .none, baseURL?.isHTTPS != true,
            request.url?.scheme?.lowercased() == "http"
        else { return nil }
        return InvalidSecurityPolicy(mode: mode)
    }

    /// Creates another manager with the same base URL and session configuration.
    ///
    /// It has copies of the serializers and of the security policy, a session of its own, and no
    /// handlers, queues or tasks.
    open override func copy(with zone: NSZone?) -> Any {
        let copy = HTTPSessionManager(
            baseURL: baseURL,
            sessionConfiguration: core.read(\.configuration)
        )
        copy.requestSerializer = requestSerializer.copy()
        copy.responseSerializer =
            (responseSerializer as? HTTPResponseSerializer)?.copy() ?? responseSerializer
        copy.securityPolicy = securityPolicy.copy()
        return copy
    }

    /// The class, the base URL, the session and the operation queue.
    open override var description: String {
        let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
        return "<\(type(of: self)): 0x\(address), baseURL: \(baseURL?.absoluteString ?? "none"), "
            + "session: \(session), operationQueue: \(operationQueue)>"
    }

    // MARK: Tasks for any method

    /// Creates a task for any method.
    ///
    /// The task starts with `resume()`.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Encoded by the request serializer; `nil` for none.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer, `Content-Type` too.
    ///   - uploadProgress: Called on the operation queue as the request's body is sent.
    ///   - downloadProgress: Called on the operation queue as the response's body arrives.
    ///   - success: Called with the task and the serialized response.
    ///   - failure: Called with the task and the error.
    /// - Returns: The task; `nil` if the request can't be created.
    open func dataTask(
        withHTTPMethod method: HTTPMethod,
        urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        do {
            let request = try request(urlString, headers) { serializer, url in
                try serializer.request(withMethod: method, urlString: url, parameters: parameters)
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

    /// Sends a multipart form with `POST`.
    ///
    /// The form is streamed: its parts are read while they are sent. A form without parts is sent
    /// as a `POST` without a form.
    ///
    /// - Parameters:
    ///   - urlString: The URL, resolved against ``baseURL``.
    ///   - parameters: Become parts before those of `block`; see
    ///     ``HTTPRequestSerializer/multipartFormRequest(withMethod:urlString:parameters:constructingBodyWith:)``.
    ///   - headers: Header fields of this request only. They replace those of the request
    ///     serializer.
    ///   - block: Appends parts. It is called before the method returns, on the same thread.
    ///   - progress: Called on the operation queue as the form is sent.
    ///   - success: Called with the task and the serialized response.
    ///   - failure: Called with the task and the error.
    /// - Returns: The task, which is resumed; `nil` if the request can't be created.
    @discardableResult
    open func post(
        _ urlString: String,
        parameters: Any? = nil,
        headers: HTTPHeaders? = nil,
        constructingBodyWith block: ((any MultipartFormData) throws -> Void)?,
        progress: ProgressHandler? = nil,
        success: SuccessHandler?,
        failure: FailureHandler?
    ) -> URLSessionDataTask? {
        do {
            let request = try formRequest(urlString, parameters, headers, block)
            let end = SuccessFailureHandler(success: success, failure: failure)
            let task: URLSessionDataTask =
                request.httpBodyStream == nil
                ? dataTask(
                    with: request,
                    uploadProgress: progress,
                    completionHandler: end.handler
                )
                : uploadTask(
                    withStreamedRequest: request,
                    progress: progress,
                    completionHandler: end.handler
                )
            end.task = task
            task.resume()
            return task
        } catch {
            fail(with: error, failure)
            return nil
        }
    }
}

extension HTTPSessionManager {
    /// Sets the security policy, if it can take effect.
    ///
    /// Without TLS no security policy is evaluated.
    ///
    /// - Throws: ``InvalidSecurityPolicy`` if the policy pins certificates, and ``baseURL`` isn't
    ///   `https` or is `nil`.
    public func setSecurityPolicy(_ policy: SecurityPolicy) throws {
        guard policy.sslPinningMode == .none || baseURL?.isHTTPS == true else {
            throw InvalidSecurityPolicy(mode: policy.sslPinningMode)
        }
        securityPolicy = policy
    }
}

// MARK: - Requests

extension HTTPSessionManager {
    /// Creates a request with the serializer, and sets its own header fields.
    ///
    /// - Parameter make: Called with the serializer and an absolute URL; returns the request.
    func request(
        _ urlString: String,
        _ headers: HTTPHeaders?,
        _ make: (HTTPRequestSerializer, String) throws -> URLRequest
    ) throws -> URLRequest {
        let url = try absolute(urlString)
        try requireProtection(of: url)
        var request = try make(requestSerializer, url)
        for header in headers ?? [] {
            try request.set(header)
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

    /// Throws if the security policy pins certificates and can't be evaluated for a URL.
    private func requireProtection(of url: String) throws {
        let mode = core.read(\.securityPolicy).sslPinningMode
        guard mode != .none else { return }
        guard baseURL?.isHTTPS ?? true, URL(string: url)?.isHTTPS == true else {
            throw InvalidSecurityPolicy(mode: mode)
        }
    }

    private func absolute(_ urlString: String) throws -> String {
        let base = baseURL
        if urlString.isEmpty, let base { return base.absoluteString }
        // Parsing would change nothing; the serializer parses it.
        if base == nil, urlString.isPlainWebURL { return urlString }
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

extension URL {
    fileprivate var isHTTPS: Bool { scheme?.lowercased() == "https" }
}
