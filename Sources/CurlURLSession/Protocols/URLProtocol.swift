public import Foundation
internal import Synchronization

/// A way of loading requests: for schemes of one's own, or in the place of the network, as tests do.
///
/// A subclass says in ``canInit(with:)-(URLRequest)`` which requests it takes, begins to load in
/// ``startLoading()``, tells its ``client`` what it loads, from any thread, and ends whatever it does
/// in ``stopLoading()``.
///
/// **Who is asked.** For each request, and for the one of every redirect, a session asks the classes
/// in its configuration's `protocolClasses`, in order. ``URLSession/shared`` asks those that were
/// registered with ``registerClass(_:)`` before, the last registered first; every other session asks
/// them only for schemes that nobody else serves. What no class takes is loaded from the network, or
/// from `data:` and `file:` URLs.
///
/// **Where it runs.** ``canInit(with:)-(URLRequest)`` and ``canonicalRequest(for:)`` are called on
/// the thread that the load is begun on. An object is made, started and stopped on a serial queue
/// of its own, never on a thread that serves other loads, so that it may wait there; there is no run
/// loop.
///
/// **How often.** ``startLoading()`` is called once, unless the task is cancelled before. After it,
/// ``stopLoading()`` is called once, however the load ended.
open class URLProtocol: NSObject {
    private let state: Mutex<State>

    private struct State: Sendable {
        let request: URLRequest
        let cachedResponse: CachedURLResponse?
        var client: (any URLProtocolClient)?
        var task: URLSessionTask?
    }

    /// Creates a protocol that loads a request.
    ///
    /// - Parameters:
    ///   - request: What is loaded.
    ///   - cachedResponse: What is cached for the request, if anything is.
    ///   - client: Who is told what is loaded.
    public required init(
        request: URLRequest,
        cachedResponse: CachedURLResponse?,
        client: (any URLProtocolClient)?
    ) {
        state = Mutex(
            State(request: request, cachedResponse: cachedResponse, client: client, task: nil)
        )
    }

    /// Creates a protocol that loads a task's request, in its canonical form. This is what sessions
    /// call; it calls ``init(request:cachedResponse:client:)``.
    public required convenience init(
        task: URLSessionTask,
        cachedResponse: CachedURLResponse?,
        client: (any URLProtocolClient)?
    ) {
        let request = ProtocolRequest.current(of: task) ?? ProtocolRequest.none
        self.init(request: request, cachedResponse: cachedResponse, client: client)
        self.task = task
    }

    /// Registers a class for the whole process; `false` if it doesn't inherit from `URLProtocol`.
    ///
    /// It is asked before those that were registered earlier. See ``URLProtocol`` for which sessions
    /// ask it. May be called from any thread; loads that are under way aren't touched.
    open class func registerClass(_ protocolClass: AnyClass) -> Bool {
        guard let protocolClass = protocolClass as? URLProtocol.Type else { return false }
        ProtocolRegistry.shared.register(protocolClass)
        return true
    }

    /// Takes back ``registerClass(_:)``. Nothing happens if the class isn't registered. May be called
    /// from any thread; loads that are under way aren't touched.
    open class func unregisterClass(_ protocolClass: AnyClass) {
        guard let protocolClass = protocolClass as? URLProtocol.Type else { return }
        ProtocolRegistry.shared.unregister(protocolClass)
    }

    /// Whether the class loads this request. `false` unless overridden.
    open class func canInit(with request: URLRequest) -> Bool { false }

    /// Whether the class loads this task's request. Calls ``canInit(with:)-(URLRequest)`` unless
    /// overridden.
    open class func canInit(with task: URLSessionTask) -> Bool {
        guard let request = ProtocolRequest.current(of: task) else { return false }
        return canInit(with: request)
    }

    /// The form of a request that is the same for all requests that mean the same, which is what is
    /// loaded. The request as it is unless overridden.
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Whether the response to one request may be used for the other. Whether their canonical forms
    /// are equal, unless overridden.
    open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool {
        canonicalRequest(for: a) == canonicalRequest(for: b)
    }

    /// What was put into a request under a key; `nil` if nothing was.
    open class func property(forKey key: String, in request: URLRequest) -> Any? {
        request.state.properties.values[key]
    }

    /// Puts a value into a request, where it stays when the request is copied, changed, or followed
    /// to where it is redirected. It isn't sent or archived, and requests that differ in it alone are
    /// equal.
    ///
    /// Requests go from thread to thread. So whoever sets a value gives it up, or at least doesn't
    /// change it after that, as is true of strings, numbers and other values.
    open class func setProperty(
        _ value: Any,
        forKey key: String,
        in request: NSMutableURLRequest
    ) {
        request.state.properties = request.state.properties.setting(value, for: key)
    }

    /// Takes a value out of a request. Nothing happens if there is none under the key.
    open class func removeProperty(forKey key: String, in request: NSMutableURLRequest) {
        request.state.properties = request.state.properties.setting(nil, for: key)
    }

    /// What is loaded: the task's request in its canonical form, with the header fields that the
    /// session's configuration adds.
    ///
    /// A body in memory can be had as `httpBody`, and once as `httpBodyStream` too, as sessions on
    /// other platforms hand every body to a protocol as a stream. What is uploaded from a file can
    /// be had as a stream alone.
    open var request: URLRequest {
        state.withLock { $0.request }
    }

    /// What is cached for the request; `nil` if nothing is.
    open var cachedResponse: CachedURLResponse? {
        state.withLock { $0.cachedResponse }
    }

    /// Who is told what is loaded. May be used from any thread.
    open var client: (any URLProtocolClient)? {
        get { state.withLock { $0.client } }
        set {
            let former = state.withLock { state in
                defer { state.client = newValue }
                return state.client
            }
            // Perhaps the last reference, which isn't to be let go of under the lock.
            extendLifetime(former)
        }
    }

    /// The task that the request is loaded for.
    open var task: URLSessionTask? {
        get { state.withLock { $0.task } }
        set {
            let former = state.withLock { state in
                defer { state.task = newValue }
                return state.task
            }
            extendLifetime(former)
        }
    }

    /// Begins to load. It may tell everything before it returns, or return at once and tell later.
    /// Fails with `unsupportedURL` unless overridden.
    open func startLoading() {
        let error = URLError(
            .unsupportedURL,
            url: request.url,
            reason: "\(type(of: self)) doesn't override startLoading()"
        )
        client?.urlProtocol(self, didFailWithError: error)
    }

    /// Ends what ``startLoading()`` began: the load is complete, has failed, or was cancelled. Nothing
    /// that is told from now on is heard. Does nothing unless overridden.
    open func stopLoading() {}
}
