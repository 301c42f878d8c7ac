import CurlURLSession
import Foundation
import Synchronization

/// Creates requests, and knows those whose tasks are loading.
///
/// Events, and the changes of requests that follow from them, happen on the root queue. It is also
/// the queue of the `URLSession`'s delegate.
final class Session: Sendable {
    let urlSession: URLSession

    private let rootQueue: DispatchQueue
    private let interceptor: (any RequestInterceptor)?
    private let pins: [String: Data]
    private let monitor: any EventMonitor
    private let state = Mutex(State())

    private struct State {
        var requests: [URLSessionTask: Request] = [:]
        var whenInvalid: CheckedContinuation<Void, Never>?
    }

    /// - Parameters:
    ///   - interceptor: For requests without an interceptor of their own.
    ///   - pins: The certificates that servers must have, DER-encoded, by host.
    init(
        configuration: URLSessionConfiguration = .chained,
        interceptor: (any RequestInterceptor)? = nil,
        pins: [String: Data] = [:],
        monitor: any EventMonitor
    ) {
        precondition(configuration.identifier == nil, "background sessions aren't supported")
        let (rootQueue, queue) = (DispatchQueue(label: "chains.root"), OperationQueue())
        queue.name = "chains.delegate"
        queue.maxConcurrentOperationCount = 1
        queue.underlyingQueue = rootQueue
        let delegate = SessionDelegate(monitor: monitor)
        urlSession = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: queue
        )
        self.rootQueue = rootQueue
        self.interceptor = interceptor
        self.pins = pins
        self.monitor = monitor
        precondition(urlSession.delegateQueue.underlyingQueue === rootQueue)
        delegate.attach(self)
    }

    deinit {
        urlSession.invalidateAndCancel()
    }

    /// Cancels all tasks, and returns when the delegate has got its last call.
    func invalidate() async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.whenInvalid = continuation }
            urlSession.invalidateAndCancel()
        }
    }

    // MARK: Creating requests

    func request(
        _ url: URL,
        method: String = "GET",
        headers: [String: String] = [:],
        kind: Request.Kind = .data,
        interceptor: (any RequestInterceptor)? = nil
    ) -> Request {
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = method
        urlRequest.headers = Headers(headers)
        return Request(self, kind, urlRequest, interceptor ?? self.interceptor)
    }

    func upload(_ source: Request.Uploadable, to url: URL) -> Request {
        request(url, method: "POST", headers: ["Content-Type": "text/plain"], kind: .upload(source))
    }

    func download(resumingWith data: Data, to destination: @escaping Request.Destination) -> Request
    {
        Request(self, .download(destination, resumingWith: data), nil, interceptor)
    }

    // MARK: Performing requests

    /// Creates a task for a request. May be called on any thread.
    func perform(_ request: Request) {
        rootQueue.async { [self] in
            do {
                let task = try request.makeTask(using: urlSession)
                state.withLock { $0.requests[task] = request }
                task.resume()
                monitor.receive(.started, of: task)
                request.didStart(task)
            } catch {
                request.finish(with: .taskFailed(error))
            }
        }
    }

    private func retryOrFinish(_ request: Request, dueTo error: ChainError) {
        guard let interceptor = request.interceptor else { return request.finish(with: error) }
        Task {
            let delay = await interceptor.retryDelay(of: request, dueTo: error)
            rootQueue.asyncAfter(deadline: .now() + (delay ?? 0)) { [self] in
                guard delay != nil else { return request.finish(with: error) }
                monitor.receive(.retried, of: nil)
                request.prepareForRetry()
                perform(request)
            }
        }
    }
}

extension Session: SessionStateProvider {
    func request(for task: URLSessionTask) -> Request? {
        dispatchPrecondition(condition: .onQueue(rootQueue))
        return state.withLock { $0.requests[task] }
    }

    func credential(for task: URLSessionTask, in space: URLProtectionSpace) -> URLCredential? {
        let storage = urlSession.configuration.urlCredentialStorage
        return request(for: task)?.credential ?? storage?.defaultCredential(for: space)
    }

    func trusts(_ trust: SecTrust, host: String) -> Bool? {
        pins[host].map { $0 == trust.certificates.first }
    }

    func didComplete(_ task: URLSessionTask, with error: (any Error)?) {
        dispatchPrecondition(condition: .onQueue(rootQueue))
        let found = state.withLock { $0.requests.removeValue(forKey: task) }
        guard let request = found else { return }
        let failure = error.map { ChainError.taskFailed($0) } ?? request.failure(of: task)
        if let failure { retryOrFinish(request, dueTo: failure) } else { request.finish(with: nil) }
    }

    func didBecomeInvalid() {
        let waiting = state.withLock { state in
            defer { state.whenInvalid = nil }
            return state.whenInvalid
        }
        waiting?.resume()
    }
}
