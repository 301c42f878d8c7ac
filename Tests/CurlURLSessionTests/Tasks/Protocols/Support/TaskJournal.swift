import CurlURLSession
import Foundation
import TestSupport

/// A delegate that records the events of tasks in order.
final class TaskJournal: NSObject, URLSessionDataDelegate {
    let entries = EventRecorder<String>()
    private let answer:
        @Sendable (URLAuthenticationChallenge) -> (
            URLSession.AuthChallengeDisposition, URLCredential?
        )
    private let redirected: @Sendable (URLRequest) -> URLRequest?
    private let stored: @Sendable (CachedURLResponse) -> CachedURLResponse?

    /// - Parameters:
    ///   - redirected: Returns the request that follows a redirect.
    ///   - stored: Returns the response to store for a proposed one.
    ///   - answer: Returns the answer to a challenge.
    init(
        redirected: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 },
        stored: @escaping @Sendable (CachedURLResponse) -> CachedURLResponse? = { $0 },
        answering answer:
            @escaping @Sendable (URLAuthenticationChallenge) -> (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) = { _ in (.performDefaultHandling, nil) }
    ) {
        self.answer = answer
        self.redirected = redirected
        self.stored = stored
    }

    /// All entries up to the completion of a task.
    func entriesToEnd() async throws -> [String] {
        _ = try await entries.first { $0.hasPrefix("completed") }
        return entries.events
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        entries.record("response \(status)")
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        entries.record("data " + String(decoding: data, as: UTF8.self))
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        entries.record("cache " + String(decoding: proposedResponse.data, as: UTF8.self))
        completionHandler(stored(proposedResponse))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        entries.record("redirect \(response.statusCode)")
        completionHandler(redirected(request))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        entries.record("challenge \(challenge.protectionSpace.realm ?? "")")
        let (disposition, credential) = answer(challenge)
        completionHandler(disposition, credential)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        entries.record("metrics")
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let code = (error as? URLError).map { "\($0.code.rawValue)" }
        entries.record("completed" + (error == nil ? "" : " " + (code ?? "error")))
    }
}
