public import CurlURLSession
public import Foundation
internal import Synchronization

/// Asks an HTTP server: makes requests of a method, a path and parameters, and tells success and failure
/// apart.
///
/// AFNetworking's `AFHTTPSessionManager`.
///
/// ```swift
/// let manager = HTTPSessionManager(baseURL: URL(string: "http://api.example.com/v1"))
/// manager.get("users", parameters: ["page": 2]) { task, users in
///     print(users ?? "nobody")
/// } failure: { task, error in
///     print(error)
/// }
/// let users = try await manager.get("users", parameters: ["page": 2])
/// ```
///
/// A text in the place of a URL is resolved against ``baseURL`` (RFC 3986, 5): with
/// `http://h/v1/`, `foo` and `foo?a=b` are below `v1`, `/foo` is below the host, the empty text is the base
/// itself, and an absolute URL is what it is.
///
/// A response with an error, be it the transport's or the serializer's, is a failure, whatever was made of
/// the body. Handlers are called on the manager's `completionQueue`. A request that can't be made is a
/// failure without a task: the method returns `nil`, and the handler is called afterwards, as no member of
/// the `completionGroup`.
///
/// The methods here resume the task that they return, but for ``dataTask(withHTTPMethod:urlString:parameters:headers:uploadProgress:downloadProgress:success:failure:)``.
///
/// `@unchecked Sendable`: the one property that it adds is constant, and a lock, which the compiler
/// proves to be `Sendable` with all that is behind it.
open class HTTPSessionManager: URLSessionManager, @unchecked Sendable {
    private let http = Mutex<HTTPSessionManagerState>(HTTPSessionManagerState())

    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - url: What texts are resolved against; `nil` where all of them are absolute. A path gets a slash
    ///     at its end: without it, the path's last segment would be replaced.
    ///   - configuration: The session's, which is copied; with `nil`, `URLSessionConfiguration.default`.
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

    /// A new manager with the default configuration. It has a session of its own, and so connections of
    /// its own: keep it as long as there are requests.
    open class func manager() -> HTTPSessionManager {
        HTTPSessionManager(baseURL: nil)
    }

    /// With a slash at the end of the path, unless that is empty.
    private static func base(_ url: URL) -> URL {
        let url = url.absoluteURL
        guard !url.path.isEmpty, !url.absoluteString.hasSuffix("/") else { return url }
        return url.appendingPathComponent("")
    }

    /// What texts are resolved against; `nil` where all of them have to be absolute.
    open var baseURL: URL? { http.withLock { $0.baseURL } }

    /// Makes requests. Unless another one is set, parameters are a query or a form's body.
    open var requestSerializer: HTTPRequestSerializer {
        get { http.withLock { $0.requestSerializer } }
        set {
            // What is replaced may be the last reference to something of the user's.
            var former = newValue
            http.withLock { swap(&$0.requestSerializer, &former) }
        }
    }

    /// Another manager with the same base URL and session configuration, and copies of the serializers
    /// and of the security policy: a session of its own, no handlers, queues or tasks.
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

    // MARK: One task for every method

    /// Creates a task for any method. It begins with `resume()`.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: What the request serializer encodes; `nil` for nothing.
    ///   - headers: Replace those that the serializer has set, `Content-Type` too. They are for this
    ///     request alone.
    ///   - uploadProgress: Called on the operation queue as the request's body is sent.
    ///   - downloadProgress: Called on the operation queue as the response's body comes.
    ///   - success: Is given the task and what the response stands for.
    ///   - failure: Is given the task and what went wrong.
    /// - Returns: `nil` where the request can't be made.
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

    /// Sends a multipart form with `POST`, as it is read. A form without parts is a `POST` without one.
    ///
    /// - Parameters:
    ///   - urlString: Is resolved against ``baseURL``.
    ///   - parameters: Become parts before those of `block`; see
    ///     ``HTTPRequestSerializer/multipartFormRequest(withMethod:urlString:parameters:constructingBodyWith:)``.
    ///   - headers: Replace those that the serializer has set. They are for this request alone.
    ///   - block: Appends parts. It is called before the method returns, on the same thread.
    ///   - progress: Called on the operation queue as the form is sent.
    ///   - success: Is given the task and what the response stands for.
    ///   - failure: Is given the task and what went wrong.
    /// - Returns: `nil` where the request can't be made.
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
            let end = VerbEnd(success: success, failure: failure)
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
