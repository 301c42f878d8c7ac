public import Foundation

/// Receives the events of a ``URLProtocol``: the session's task implements it.
///
/// Every method may be called from any thread, also within `startLoading()`, and returns at once.
/// Calls made one after the other are processed in that order. After the load has ended — finished,
/// failed, redirected or stopped — all calls are ignored.
public protocol URLProtocolClient: NSObjectProtocol, Sendable {
    /// Redirects the load to another request. The session's delegate decides whether to follow.
    ///
    /// This ends the load, and `stopLoading()` is called. Another load starts for the request, by
    /// any protocol that accepts it.
    ///
    /// A redirect must come before the response. After a response, it fails the task with
    /// `badServerResponse`.
    func urlProtocol(
        _ protocol: URLProtocol,
        wasRedirectedTo request: URLRequest,
        redirectResponse: URLResponse
    )

    /// The cached response is still valid. It becomes the response, and the load ends.
    func urlProtocol(
        _ protocol: URLProtocol,
        cachedResponseIsValid cachedResponse: CachedURLResponse
    )

    /// Reports the response. A second response is ignored.
    ///
    /// Data that arrived before the response is delivered after it. If the policy allows it, a data
    /// task's response to a `GET` is stored in the session's cache with its body, once that is
    /// complete and the session's delegate has agreed. HTTP responses are only stored if RFC 9111
    /// allows it.
    func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    )

    /// Delivers new bytes of the body, not the bytes delivered before.
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)

    /// The load has completed.
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)

    /// The load has failed. The task fails with the same error.
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)

    /// Asks the session's delegate for a credential.
    ///
    /// The challenge's sender gets the answer on the queue that calls `startLoading()`.
    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)

    /// Withdraws a challenge: its sender gets no answer.
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}
