import CurlURLSession
import Foundation
import Synchronization

// What the session and its delegate call, on the root queue.

extension Request {
    var credential: URLCredential? { state.withLock { $0.credential } }
    var redirector: Redirector? { state.withLock { $0.redirector } }
    var cacher: Cacher? { state.withLock { $0.cacher } }
    var retryCount: Int { state.withLock { $0.retryCount } }

    /// The request of the last task.
    var urlRequest: URLRequest? { state.withLock { $0.tasks.last }?.originalRequest ?? initial }

    func makeTask(using session: URLSession) throws -> URLSessionTask {
        if case .download(_, resumingWith: let data?) = kind {
            return session.downloadTask(withResumeData: data)
        }
        guard let initial else { throw URLError(.badURL) }
        let adapted = try interceptor?.adapt(initial) ?? initial
        switch kind {
        case .data, .stream: return session.dataTask(with: adapted)
        case .upload(.data(let data)): return session.uploadTask(with: adapted, from: data)
        case .upload(.file(let file)): return session.uploadTask(with: adapted, fromFile: file)
        case .upload(.stream): return session.uploadTask(withStreamedRequest: adapted)
        case .download: return session.downloadTask(with: adapted)
        }
    }

    func didStart(_ task: URLSessionTask) {
        let handler = state.withLock { state in
            state.tasks.append(task)
            return state.onTask
        }
        handler?(task)
    }

    /// A new stream each time that the body is sent.
    func inputStream() -> InputStream? {
        guard case .upload(.stream(let file)) = kind else { return nil }
        return InputStream(url: file)
    }

    func didSend(_ count: Int64, of total: Int64) {
        state.withLock { $0.response.sent = "\(count) of \(total)" }
    }

    func disposition(for response: HTTPURLResponse) -> URLSession.ResponseDisposition {
        let handler = state.withLock { $0.onHTTPResponse }
        return handler?(response) ?? .allow
    }

    func didReceive(_ data: Data) {
        if case .stream(let handler) = kind { return handler(data) }
        state.withLock { $0.response.data.append(data) }
    }

    func didResume(at offset: Int64) {
        state.withLock { $0.response.resumedAt = offset }
    }

    func didWrite(_ count: Int64, of total: Int64) {
        let handler = state.withLock { $0.onProgress }
        handler?(self, count, total)
    }

    /// Moves the file, which is removed when the delegate's method returns.
    func didFinishDownloading(to location: URL, _ response: HTTPURLResponse) {
        guard case .download(let destination, _) = kind else { return }
        let file = destination(location, response)
        do {
            try FileManager.default.moveItem(at: location, to: file)
            state.withLock { $0.response.fileURL = file }
        } catch {
            state.withLock { $0.response.error = .fileNotMoved(error) }
        }
    }

    func didGather(_ metrics: URLSessionTaskMetrics) {
        state.withLock { $0.response.metrics.append(metrics) }
    }

    /// Why a task failed that has completed without an error.
    func failure(of task: URLSessionTask) -> ChainError? {
        let (error, validators) = state.withLock { ($0.response.error, $0.validators) }
        guard error == nil, let response = task.response as? HTTPURLResponse else { return error }
        return validators.lazy.compactMap { $0(task.originalRequest, response) }.first
    }

    func prepareForRetry() {
        state.withLock { state in
            state.retryCount += 1
            state.response.data = Data()
            state.response.error = nil
        }
    }

    func finish(with error: ChainError?) {
        let (handlers, response) = state.withLock { state in
            state.isFinished = true
            state.response.task = state.tasks.last
            state.response.retryCount = state.retryCount
            state.response.error = error
            defer { state.handlers = [] }
            return (state.handlers, state.response)
        }
        for handler in handlers { handler(response) }
    }
}
