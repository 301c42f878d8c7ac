public import Foundation

/// Who a ``URLProtocol`` tells what it loads: the session's task.
///
/// Every method may be called from any thread, from within `startLoading()` too, and returns at once.
/// What is said in turn is heard in that order. After the load has ended — it was finished, failed,
/// redirected or stopped — nothing is heard.
public protocol URLProtocolClient: NSObjectProtocol, Sendable {
    /// The load goes on with another request, which the session's delegate is asked about first. The
    /// load ends with this, and `stopLoading()` is called; another one is started for the request,
    /// by whichever protocol takes it.
    ///
    /// It has to come before a response. Without one the task fails with `badServerResponse`.
    func urlProtocol(
        _ protocol: URLProtocol,
        wasRedirectedTo request: URLRequest,
        redirectResponse: URLResponse
    )

    /// What is cached is still right: it becomes the response, and the load ends with it.
    func urlProtocol(
        _ protocol: URLProtocol,
        cachedResponseIsValid cachedResponse: CachedURLResponse
    )

    /// The response, of which there is one: a second one isn't heard. Data that came before it is
    /// told of after it.
    ///
    /// Where the policy allows it, a data task's response to a `GET` is stored in the session's cache
    /// with its content, when that is complete and the session's delegate has let it through. Of HTTP
    /// only what RFC 9111 lets be stored is.
    func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    )

    /// More of the body: new bytes alone, not all there are.
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)

    /// The load is complete.
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)

    /// The load has failed. The task fails with the same error.
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)

    /// A credential is asked for. The session's delegate is asked, and its answer told to the
    /// challenge's sender, on the thread or queue that `startLoading()` is called on.
    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)

    /// A challenge needs no answer any more: the sender won't be told one.
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}
