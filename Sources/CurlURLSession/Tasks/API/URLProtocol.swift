public import Foundation
internal import Synchronization

/// Loads requests of custom schemes, or instead of the network.
///
/// A subclass accepts requests in ``canInit(with:)-(URLRequest)``, starts a load in
/// ``startLoading()``, reports the result to its ``client`` from any thread, and ends its work in
/// ``stopLoading()``. Tests use it to replace the network.
///
/// **Which classes are asked.** For each request and each redirect, a session asks the classes in
/// its configuration's `protocolClasses`, in order. ``URLSession/shared`` first asks the classes
/// registered with ``registerClass(_:)``, the last registered first. Other sessions ask registered
/// classes last, and only for schemes other than `http`, `https`, `data` and `file`. A request that
/// no class accepts is loaded from the network, or from the `data:` or `file:` URL.
///
/// **Threads.** ``canInit(with:)-(URLRequest)`` and ``canonicalRequest(for:)`` are called on the
/// thread that starts the load. An object is created, started and stopped on its own serial queue,
/// where no other load runs, so it may block. There is no run loop.
///
/// **Number of calls.** ``startLoading()`` is called once, unless the task is cancelled before.
/// After it, ``stopLoading()`` is called once, however the load ended.
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
    ///   - request: The request to load.
    ///   - cachedResponse: The cached response to the request, if there is one.
    ///   - client: Receives the events of the load.
    public required init(
        request: URLRequest,
        cachedResponse: CachedURLResponse?,
        client: (any URLProtocolClient)?
    ) {
        state = Mutex(
            State(request: request, cachedResponse: cachedResponse, client: client, task: nil)
        )
    }

    /// Creates a protocol that loads a task's request in its canonical form.
    ///
    /// Sessions call this initializer; it calls ``init(request:cachedResponse:client:)``.
    public required convenience init(
        task: URLSessionTask,
        cachedResponse: CachedURLResponse?,
        client: (any URLProtocolClient)?
    ) {
        let request = ProtocolRequest.current(of: task) ?? ProtocolRequest.none
        self.init(request: request, cachedResponse: cachedResponse, client: client)
        self.task = task
    }

    /// Registers a class for the whole process. `false` if it doesn't inherit from `URLProtocol`.
    ///
    /// A class is asked before those registered earlier. See ``URLProtocol`` for which sessions ask
    /// it. May be called from any thread; loads in flight aren't affected.
    open class func registerClass(_ protocolClass: AnyClass) -> Bool {
        guard let protocolClass = protocolClass as? URLProtocol.Type else { return false }
        ProtocolRegistry.shared.register(protocolClass)
        return true
    }

    /// Unregisters a class. Does nothing if the class isn't registered.
    ///
    /// May be called from any thread; loads in flight aren't affected.
    open class func unregisterClass(_ protocolClass: AnyClass) {
        guard let protocolClass = protocolClass as? URLProtocol.Type else { return }
        ProtocolRegistry.shared.unregister(protocolClass)
    }

    /// Whether the class loads this request. `false` unless overridden.
    open class func canInit(with request: URLRequest) -> Bool { false }

    /// Whether the class loads this task's request.
    ///
    /// Calls ``canInit(with:)-(URLRequest)`` unless overridden.
    open class func canInit(with task: URLSessionTask) -> Bool {
        guard let request = ProtocolRequest.current(of: task) else { return false }
        return canInit(with: request)
    }

    /// Returns the canonical form of a request. A session loads that form.
    ///
    /// Equivalent requests have the same canonical form. Returns the request unchanged unless
    /// overridden.
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Whether one request's cached response may be used for the other.
    ///
    /// Compares the canonical forms unless overridden.
    open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool {
        canonicalRequest(for: a) == canonicalRequest(for: b)
    }

    /// Returns the property of a request for a key. `nil` if there is none.
    open class func property(forKey key: String, in request: URLRequest) -> Any? {
        request.state.properties.values[key]
    }

    /// Sets a property of a request.
    ///
    /// The property is kept when the request is copied, changed or redirected. It isn't sent or
    /// archived, and doesn't affect equality.
    ///
    /// Requests move between threads. Pass a value that is never changed afterwards, such as a
    /// string or a number.
    open class func setProperty(
        _ value: Any,
        forKey key: String,
        in request: NSMutableURLRequest
    ) {
        request.state.properties = request.state.properties.setting(value, for: key)
    }

    /// Removes a property of a request. Does nothing if there is none for the key.
    open class func removeProperty(forKey key: String, in request: NSMutableURLRequest) {
        request.state.properties = request.state.properties.setting(nil, for: key)
    }

    /// The request to load.
    ///
    /// It is the task's request in canonical form, with the session's header fields. A body in
    /// memory is available as `httpBody`, and also once as `httpBodyStream`, because sessions on
    /// other platforms pass every body to a protocol as a stream. A file upload is only available
    /// as a stream.
    open var request: URLRequest {
        state.withLock { $0.request }
    }

    /// The cached response to the request; `nil` if there is none.
    open var cachedResponse: CachedURLResponse? {
        state.withLock { $0.cachedResponse }
    }

    /// Receives the events of the load. May be used from any thread.
    open var client: (any URLProtocolClient)? {
        get { state.withLock { $0.client } }
        set {
            let former = state.withLock { state in
                defer { state.client = newValue }
                return state.client
            }
            // This may be the last reference, which must not be released under the lock.
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

    /// Starts the load. Fails with `unsupportedURL` unless overridden.
    ///
    /// It may report all events before it returns, or return at once and report them later.
    open func startLoading() {
        let error = URLError(
            .unsupportedURL,
            url: request.url,
            reason: "\(type(of: self)) doesn't override startLoading()"
        )
        client?.urlProtocol(self, didFailWithError: error)
    }

    /// Ends the load, which has completed, failed or been cancelled.
    ///
    /// Later client calls are ignored. Does nothing unless overridden.
    open func stopLoading() {}
}
