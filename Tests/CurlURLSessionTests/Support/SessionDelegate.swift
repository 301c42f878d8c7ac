internal import CurlURLSession
internal import Foundation
internal import TestSupport

/// Records the events of a session or task in order, and answers as configured.
final class SessionDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    enum Event: Sendable, Equatable {
        case waiting
        case informational(Int)
        case redirect(Int, to: String)
        case challenge(String, failures: Int)
        case bodyStream
        case delayed
        case sent(Int64, of: Int64)
        case response(Int)
        case becameDownload
        case data(Int)
        case proposal(bytes: Int)
        case wrote(Int64, of: Int64)
        case resumed(Int64, of: Int64)
        case file
        case metrics(transactions: Int)
        case completed(Int?)
        case invalid
    }

    typealias Challenged =
        @Sendable (
            URLAuthenticationChallenge,
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) -> Void

    /// The answers to the session's questions, called on the delegate queue.
    struct Answers: Sendable {
        /// Called for every event before it is recorded.
        var act: @Sendable (Event, URLSessionTask?) -> Void = { _, _ in }
        var response:
            @Sendable (
                URLResponse, @escaping @Sendable (URLSession.ResponseDisposition) -> Void
            ) -> Void = { $1(.allow) }
        var redirect:
            @Sendable (
                HTTPURLResponse, URLRequest, @escaping @Sendable (URLRequest?) -> Void
            ) -> Void = { $2($1) }
        var challenge: Challenged = { $1(.performDefaultHandling, nil) }
        var proposal:
            @Sendable (
                CachedURLResponse, @escaping @Sendable (CachedURLResponse?) -> Void
            ) -> Void = { $1($0) }
        var bodyStream: @Sendable () -> InputStream? = { nil }
        var delayed: @Sendable (URLRequest) -> (URLSession.DelayedRequestDisposition, URLRequest?) =
            { _ in (.continueLoading, nil) }
        var file: @Sendable (URL) -> Void = { _ in }
        var informational: @Sendable (HTTPURLResponse) -> Void = { _ in }
    }

    private struct State: Sendable {
        var events: [Event] = []
        var data = Data()
        var responses: [URLResponse] = []
        var metrics: [URLSessionTaskMetrics] = []
        var errors: [any Error] = []
        var completions = 0
        var challenges: [URLAuthenticationChallenge] = []
    }

    private let answers: Answers
    private let state = Watched(State())

    init(_ configure: (inout Answers) -> Void = { _ in }) {
        var answers = Answers()
        configure(&answers)
        self.answers = answers
    }

    // MARK: Recorded events

    var events: [Event] { state.read { $0.events } }
    /// The events without `sent`, `data` and `wrote`, whose number varies.
    var milestones: [Event] {
        events.filter { event in
            switch event {
            case .sent, .data, .wrote: false
            default: true
            }
        }
    }
    var data: Data { state.read { $0.data } }
    var text: String { String(decoding: data, as: UTF8.self) }
    var responses: [URLResponse] { state.read { $0.responses } }
    var metrics: [URLSessionTaskMetrics] { state.read { $0.metrics } }
    /// The number of completed tasks.
    var completions: Int { state.read { $0.completions } }
    var errors: [any Error] { state.read { $0.errors } }
    var challenges: [URLAuthenticationChallenge] { state.read { $0.challenges } }

    /// Waits until `count` tasks have completed.
    func completion(_ count: Int = 1) async throws {
        try await state.wait { $0.completions >= count ? () : nil }
    }

    /// Waits for the completion and returns its error, which must be a `URLError`.
    func failure() async throws -> URLError {
        try await completion()
        guard let error = state.read({ $0.errors.first }) as? URLError else {
            throw UnexpectedSuccess()
        }
        return error
    }

    func event(_ event: Event) async throws {
        try await self.event { $0 == event }
    }

    @discardableResult
    func event(where fits: @escaping @Sendable (Event) -> Bool) async throws -> Event {
        try await state.wait { $0.events.first(where: fits) }
    }

    func bytes(_ count: Int) async throws {
        try await state.wait { $0.data.count >= count ? () : nil }
    }

    private func record(_ event: Event, _ task: URLSessionTask?) {
        answers.act(event, task)
        state.update { $0.events.append(event) }
    }

    // MARK: Delegate

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        record(.invalid, nil)
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        record(.waiting, task)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        record(.redirect(response.statusCode, to: request.url?.path ?? ""), task)
        answers.redirect(response, request, completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        state.update { $0.challenges.append(challenge) }
        record(
            .challenge(
                challenge.protectionSpace.authenticationMethod,
                failures: challenge.previousFailureCount
            ),
            task
        )
        answers.challenge(challenge, completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        record(.bodyStream, task)
        completionHandler(answers.bodyStream())
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        answers.informational(response)
        record(.informational(response.statusCode), task)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        record(.sent(totalBytesSent, of: totalBytesExpectedToSend), task)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willBeginDelayedRequest request: URLRequest,
        completionHandler:
            @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        record(.delayed, task)
        let (disposition, other) = answers.delayed(request)
        completionHandler(disposition, other)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        state.update { $0.metrics.append(metrics) }
        record(.metrics(transactions: metrics.transactionMetrics.count), task)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        if let error { state.update { $0.errors.append(error) } }
        record(.completed((error as? URLError)?.code.rawValue ?? (error == nil ? nil : 0)), task)
        state.update { $0.completions += 1 }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        state.update { $0.responses.append(response) }
        record(.response((response as? HTTPURLResponse)?.statusCode ?? 0), dataTask)
        answers.response(response, completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {
        record(.becameDownload, downloadTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        record(.data(data.count), dataTask)
        state.update { $0.data.append(data) }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        record(.proposal(bytes: proposedResponse.data.count), dataTask)
        answers.proposal(proposedResponse, completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        answers.file(location)
        record(.file, downloadTask)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        record(.wrote(totalBytesWritten, of: totalBytesExpectedToWrite), downloadTask)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        record(.resumed(fileOffset, of: expectedTotalBytes), downloadTask)
    }
}

extension SessionDelegate {
    /// Answers that refuse an untrusted server, and the codes of the errors that follow.
    static let refusals: [(URLSession.AuthChallengeDisposition, URLError.Code)] = [
        (.performDefaultHandling, .serverCertificateHasUnknownRoot),
        (.rejectProtectionSpace, .serverCertificateUntrusted),
        (.cancelAuthenticationChallenge, .cancelled),
    ]

    /// Answers that accept servers' certificates until the gate opens.
    ///
    /// - Parameter decision: The answer to later questions about a certificate.
    static func trusting(
        until isStrict: Gate,
        then decision: URLSession.AuthChallengeDisposition
    ) -> Challenged {
        return { challenge, completion in
            guard !isStrict.isOpen else { return completion(decision, nil) }
            let trust = challenge.protectionSpace.serverTrust
            completion(.useCredential, trust.map { URLCredential(trust: $0) })
        }
    }
}

/// The error when an operation succeeds that should have failed.
struct UnexpectedSuccess: Error {}
