internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// The delegate of one task, which records its calls.
final class TaskRecord: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable {
    private struct State {
        var data = Data()
        var response: URLResponse?
        var challenges = 0
        var completions = 0
        var waiter: CheckedContinuation<Void, Never>?
        var isOver = false
        var error: (any Error)?
        var problem: String?
    }

    struct Result {
        var data: Data
        var response: URLResponse?
        var error: (any Error)?
        var problem: String?
    }

    enum Answer: Sendable {
        case credential
        case refusal
        case none
    }

    private let state = Mutex(State())
    private let follows: Bool
    private let answer: Answer
    /// Reports duplicate calls, at any time.
    private let report: @Sendable (String) -> Void

    init(follows: Bool, answer: Answer, report: @escaping @Sendable (String) -> Void) {
        self.follows = follows
        self.answer = answer
        self.report = report
    }

    /// Starts a task and waits for its completion.
    func result(of task: URLSessionTask) async -> Result {
        start(task)
        return await result()
    }

    func start(_ task: URLSessionTask) {
        task.delegate = self
        task.resume()
    }

    /// Waits for the started task. May be called once.
    func result() async -> Result {
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiter = waiter }
                return state.isOver
            }
            if isOver { waiter.resume() }
        }
        return state.withLock { state in
            Result(
                data: state.data,
                response: state.response,
                error: state.error,
                problem: state.problem
            )
        }
    }

    /// Records the call of a completion handler.
    func complete(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        state.withLock { state in
            state.data = data ?? Data()
            state.response = response
        }
        finish(error)
    }

    private func finish(_ error: (any Error)?) {
        let (waiter, count) = state.withLock { state in
            state.completions += 1
            state.isOver = true
            if state.completions == 1 { state.error = error }
            return (state.waiter.take(), state.completions)
        }
        if count > 1 { report("a task completes \(count) times") }
        waiter?.resume()
    }

    private func note(_ event: String, _ change: (inout State) -> Void) {
        let isLate = state.withLock { state in
            change(&state)
            return state.isOver
        }
        if isLate { report("\(event) is called behind the completion") }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        finish(error)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note("didReceive data") { state in
            if state.response == nil { state.problem = "data comes before the response" }
            state.data += data
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note("didReceive response") { state in
            if state.response != nil { state.problem = "two responses" }
            state.response = response
        }
        completionHandler(.allow)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        let content = try? Data(contentsOf: location)
        note("didFinishDownloading") { state in
            state.response = downloadTask.response
            state.data = content ?? Data()
            if content == nil { state.problem = "the downloaded file isn't there" }
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note("willPerformHTTPRedirection") { _ in }
        completionHandler(follows ? request : nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        note("didReceive challenge") { $0.challenges += 1 }
        switch answer {
        case .none:
            completionHandler(.performDefaultHandling, nil)
        case .refusal:
            completionHandler(.cancelAuthenticationChallenge, nil)
        case .credential:
            guard challenge.previousFailureCount < 2 else {
                return completionHandler(.rejectProtectionSpace, nil)
            }
            let credential = URLCredential(user: "u", password: "p", persistence: .forSession)
            completionHandler(.useCredential, credential)
        }
    }
}
