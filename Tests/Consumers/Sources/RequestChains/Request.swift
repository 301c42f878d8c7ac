import CurlURLSession
import Foundation
import Synchronization

/// A request with all its tasks: each retry has a new one.
///
/// Methods return the request, so that calls can be chained. They may be called on any thread. The
/// request starts when the first response handler is added. Other handlers are called on the
/// session's root queue.
final class Request: Sendable {
    typealias Validation = @Sendable (URLRequest?, HTTPURLResponse) -> ChainError?
    typealias Redirector = @Sendable (URLSessionTask, URLRequest, HTTPURLResponse) -> URLRequest?
    typealias Cacher = @Sendable (URLSessionDataTask, CachedURLResponse) -> CachedURLResponse?
    typealias ResponseHandler = @Sendable (HTTPURLResponse) -> URLSession.ResponseDisposition
    /// Gets the numbers of bytes written and expected.
    typealias ProgressHandler = @Sendable (Request, Int64, Int64) -> Void
    /// Where a downloaded file is moved.
    typealias Destination = @Sendable (URL, HTTPURLResponse) -> URL

    enum Kind: Sendable {
        case data
        case stream(@Sendable (Data) -> Void)
        case upload(Uploadable)
        case download(Destination, resumingWith: Data? = nil)
    }

    enum Uploadable: Sendable {
        case data(Data)
        case file(URL)
        /// A file that is read as a stream.
        case stream(URL)
    }

    struct State: Sendable {
        var validators: [Validation] = []
        var credential: URLCredential?
        var redirector: Redirector?
        var cacher: Cacher?
        var onHTTPResponse: ResponseHandler?
        var onTask: (@Sendable (URLSessionTask) -> Void)?
        var onProgress: ProgressHandler?
        var handlers: [@Sendable (Response) -> Void] = []

        var hasStarted = false
        var isFinished = false
        var tasks: [URLSessionTask] = []
        var retryCount = 0
        var response = Response()
    }

    let session: Session
    let kind: Kind
    /// `nil` if a download is resumed: the resume data has the request.
    let initial: URLRequest?
    let interceptor: (any RequestInterceptor)?
    let state = Mutex(State())

    init(
        _ session: Session,
        _ kind: Kind,
        _ initial: URLRequest?,
        _ interceptor: (any RequestInterceptor)?
    ) {
        self.session = session
        self.kind = kind
        self.initial = initial
        self.interceptor = interceptor
    }

    // MARK: Options

    /// Accepts status codes from 200 to 299, and the media type of the request's `Accept`.
    func validate() -> Self {
        validate { request, response in
            guard (200..<300).contains(response.statusCode) else {
                return .unacceptableStatus(response.statusCode)
            }
            guard let type = request?.value(forHTTPHeaderField: "Accept") else { return nil }
            return type == response.mimeType ? nil : .unacceptableType(response.mimeType)
        }
    }

    func validate(_ validation: @escaping Validation) -> Self {
        change { $0.validators.append(validation) }
    }

    func authenticate(user: String, password: String) -> Self {
        let credential = URLCredential(user: user, password: password, persistence: .forSession)
        return change { $0.credential = credential }
    }

    func redirect(using redirector: @escaping Redirector) -> Self {
        change { $0.redirector = redirector }
    }

    func cacheResponse(using cacher: @escaping Cacher) -> Self {
        change { $0.cacher = cacher }
    }

    func onHTTPResponse(_ handler: @escaping ResponseHandler) -> Self {
        change { $0.onHTTPResponse = handler }
    }

    /// Calls a handler with each task that was started.
    func onTask(_ handler: @escaping @Sendable (URLSessionTask) -> Void) -> Self {
        change { $0.onTask = handler }
    }

    func downloadProgress(_ handler: @escaping ProgressHandler) -> Self {
        change { $0.onProgress = handler }
    }

    private func change(_ body: (inout State) -> Void) -> Self {
        state.withLock { body(&$0) }
        return self
    }

    // MARK: Life cycle

    /// Calls a handler with the result, on a queue, and starts the request.
    @discardableResult
    func response(
        on queue: DispatchQueue = .main,
        _ handler: @escaping @Sendable (Response) -> Void
    ) -> Self {
        let (isFirst, finished) = state.withLock { state -> (Bool, Response?) in
            if state.isFinished { return (false, state.response) }
            state.handlers.append { response in queue.async { handler(response) } }
            defer { state.hasStarted = true }
            return (!state.hasStarted, nil)
        }
        if isFirst { session.perform(self) }
        if let finished { queue.async { handler(finished) } }
        return self
    }

    /// The result; starts the request.
    var completion: Response {
        get async {
            await withCheckedContinuation { continuation in
                _ = response { continuation.resume(returning: $0) }
            }
        }
    }

    /// Cancels a download that is loading, so that it can be resumed.
    func cancelByProducingResumeData() {
        let task = state.withLock { $0.tasks.last } as? URLSessionDownloadTask
        task?.cancel { [self] data in
            state.withLock { $0.response.resumeData = data }
        }
    }
}
