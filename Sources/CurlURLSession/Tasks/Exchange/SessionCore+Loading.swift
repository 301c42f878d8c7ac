internal import CurlTransport
internal import Foundation
internal import HTTPSemantics
internal import HTTPTypes
internal import Synchronization

extension SessionCore {
    /// Creates the loader for a request. Also returns the transport's request if the transport loads
    /// it.
    ///
    /// Calls the user's `URLProtocol` classes first, on this thread. `data:` and `file:` URLs are
    /// loaded locally.
    ///
    /// - Throws: The fault of the request, or the reason why the transport can't start.
    func loader(
        for loadRequest: LoadRequest,
        _ context: LoadContext,
        client: TaskCore
    ) throws(TransportError) -> (loader: any Loader, httpRequest: HTTPRequest?) {
        if let loader = try connectionLoader(for: loadRequest, context, client: client) {
            return (loader, nil)
        }
        if let loader = protocolLoader(
            for: loadRequest,
            timeLimit: context.timeLimit,
            client: client
        ) {
            return (loader, nil)
        }
        // A server must not make the session read a local file.
        if loadRequest.hasLeftHTTP, let scheme = loadRequest.request.url?.scheme {
            throw .unsupportedURL(scheme: scheme)
        }
        do throws(TransportError) {
            let request = try transferRequest(for: loadRequest, context, client)
            if let loader = cachingLoader(for: loadRequest, context, request, client: client) {
                return (loader, request.request)
            }
            let loader = NetworkLoader(
                request,
                transport: try transport(),
                observers: settings.transferObservers,
                client: client
            )
            return (loader, request.request)
        } catch {
            // Checked last, because the transport may reject such URLs for another fault than their
            // scheme.
            guard [.unsupportedURL, .invalidURL].contains(error.code),
                let loader = localLoader(for: loadRequest, client: client)
            else { throw error }
            return (loader, nil)
        }
    }

    private func transferRequest(
        for loadRequest: LoadRequest,
        _ context: LoadContext,
        _ client: TaskCore
    ) throws(TransportError) -> TransferRequest {
        let request = try loadRequest.httpRequest(settings, isUpload: context.kind.isUpload)
        let options = try self.options(
            for: loadRequest,
            isSecure: request.scheme == "https",
            asksForTrust: context.asksForTrust,
            collectsContent: context.collectsContent
        )
        return TransferRequest(
            request,
            body: try loadRequest.requestBody(client: client),
            options: options,
            timeLimit: context.timeLimit
        )
    }

    /// Creates a loader with a cache. `nil` if the cache is neither read nor written.
    private func cachingLoader(
        for loadRequest: LoadRequest,
        _ context: LoadContext,
        _ transfer: TransferRequest,
        client: TaskCore
    ) -> CachingLoader? {
        let policy = settings.cachePolicy(for: loadRequest.request)
        let cache = cache(for: loadRequest, kind: context.kind)
        let largestBody = cache?.largestBody ?? 0
        let isPolicyEnough =
            policy == .returnCacheDataDontLoad || policy == .reloadIgnoringLocalAndRemoteCacheData
        guard largestBody > 0 || isPolicyEnough else { return nil }
        let transaction = CacheTransaction(
            settings.cachedRequest(of: loadRequest, as: transfer.request),
            policy: policy,
            servesWhileRevalidating: true,
            largestBody: largestBody,
            offersResponses: context.decidesAboutCaching
        )
        return CachingLoader(
            transaction,
            cache: cache,
            transfer: transfer,
            session: self,
            client: client
        )
    }

    /// Returns the cache for a load, if there is one.
    ///
    /// The responses of downloads and uploads aren't stored. Responses that a server sent to the
    /// owner of a client certificate aren't either, because the cache key doesn't identify the
    /// owner. But unsafe methods always use the cache: they invalidate stored responses.
    private func cache(for loadRequest: LoadRequest, kind: TaskKindState) -> URLCache? {
        guard let cache = settings.urlCache, loadRequest.authorization?.identity == nil else {
            return nil
        }
        let isSafe = CacheableRequest.isSafe(loadRequest.request.state.method)
        return kind.isData || !isSafe ? cache : nil
    }

    /// Returns the transport options for a request.
    func options(
        for loadRequest: LoadRequest,
        isSecure: Bool,
        asksForTrust: Bool,
        collectsContent: Bool = false
    ) throws(TransportError) -> PreparedOptions {
        let asks = asksForTrust && isSecure
        let certificateRequests: CertificateRequests =
            asks ? loadRequest.certificateRequests : .ignored
        guard let authorization = loadRequest.authorization, authorization.needsOptions else {
            return try settings.options(
                for: loadRequest.request,
                evaluatesServerTrust: asks,
                certificateRequests: certificateRequests,
                collectsContent: collectsContent
            )
        }
        var options = try settings.transferOptions(
            for: loadRequest.request,
            evaluatesServerTrust: asks,
            certificateRequests: certificateRequests,
            collectsContent: collectsContent
        )
        try authorization.apply(to: &options, isSecure: isSecure)
        return try PreparedOptions(options)
    }
}

/// The properties of a task that its loads depend on.
struct LoadContext: Sendable {
    let session: URLSession
    /// The kind of task, which decides the loader, and whether a response may be stored.
    let kind: TaskKindState
    /// The timeout of the load; `nil` for none.
    let timeLimit: Duration?
    /// Whether a delegate can evaluate the server's certificates.
    let asksForTrust: Bool
    /// Whether the body is collected in memory.
    let collectsContent: Bool
    /// The delegate that is asked about storing the response; `nil` for none.
    let cachingDelegate: (any URLSessionDataDelegate)?

    /// Whether that delegate may store a response that could answer no later request.
    var decidesAboutCaching: Bool {
        guard let cachingDelegate else { return false }
        return (cachingDelegate as? any URLSessionCacheDecider)?.decidesAboutCaching ?? true
    }
}

extension SessionCore {
    /// Creates the loader of a WebSocket or stream task. `nil` for other tasks.
    private func connectionLoader(
        for loadRequest: LoadRequest,
        _ context: LoadContext,
        client: TaskCore
    ) throws(TransportError) -> (any Loader)? {
        switch context.kind {
        case .data, .upload, .download:
            return nil
        case .webSocket(let webSocket):
            let request = try webSocketRequest(
                for: loadRequest,
                timeLimit: context.timeLimit,
                asksForTrust: context.asksForTrust
            )
            return WebSocketLoader(
                request,
                over: webSocket.connection,
                transport: try transport(),
                client: client
            )
        case .stream(let stream):
            let request = try streamRequest(
                for: loadRequest,
                stream,
                timeLimit: context.timeLimit,
                asksForTrust: context.asksForTrust
            )
            return StreamLoader(
                request,
                over: stream.connection,
                transport: try transport(),
                client: client
            )
        }
    }
}

extension SessionSettings {
    /// Returns a load's request for the cache, with all header fields that are sent.
    ///
    /// Credentials that the transport sends in another way are replaced by a marker.
    func cachedRequest(of loadRequest: LoadRequest, as httpRequest: HTTPRequest) -> URLRequest {
        var request = loadRequest.request
        let addsNothing =
            additionalFields.lines.isEmpty && loadRequest.authorization == nil
            && !httpRequest.headerFields.contains { $0.name == .cookie }
        if !addsNothing {
            request.state.headerFields = RequestHeaderFields(
                httpRequest.headerFields.map { HeaderLine(name: $0.name.rawName, value: $0.value) }
            )
        }
        if let server = loadRequest.authorization?.server, server.scheme != .basic {
            // The sent value changes with each request; the user doesn't.
            request.setValue(
                "\(server.scheme) \(server.credential.user ?? "")",
                forHTTPHeaderField: "Authorization"
            )
        }
        return request
    }
}

extension SessionCore {
    /// Adds stored credentials that the request's server and proxy have accepted before.
    func authorized(_ loadRequest: LoadRequest) -> LoadRequest {
        guard !protection.isEmpty, let storage = settings.urlCredentialStorage,
            let url = loadRequest.request.url
        else { return loadRequest }
        var authorization = loadRequest.authorization ?? Authorization()
        if authorization.server == nil, !settings.hasAuthorization(loadRequest.request) {
            authorization.server = protection.space(of: url).flatMap { known($0, storage) }
        }
        if authorization.proxy == nil, let proxy = settings.proxy(for: url),
            proxy.credentials == nil
        {
            authorization.proxy = protection.space(of: proxy).flatMap { known($0, storage) }
        }
        guard authorization.server != nil || authorization.proxy != nil else { return loadRequest }
        var loadRequest = loadRequest
        loadRequest.authorization = authorization
        return loadRequest
    }

    private func known(
        _ space: URLProtectionSpace,
        _ storage: URLCredentialStorage
    ) -> Authorization.Proof? {
        guard let credential = storage.proposal(for: space), credential.user != nil else {
            return nil
        }
        return Authorization.Proof(
            scheme: .basic,
            space: space,
            credential: credential,
            isRemembered: true
        )
    }
}

extension SessionSettings {
    /// Whether the request or the configuration sets an `Authorization` field.
    fileprivate func hasAuthorization(_ request: URLRequest) -> Bool {
        fields(for: request).lines.contains { $0.name.equalsIgnoringASCIICase("Authorization") }
    }
}

// MARK: - Loads without the network

extension SessionCore {
    /// Creates a loader with the user's protocol class for a request. `nil` if no class accepts it.
    ///
    /// Calls the classes on this thread.
    func protocolLoader(
        for loadRequest: LoadRequest,
        timeLimit: Duration?,
        client: TaskCore
    ) -> (any Loader)? {
        let classes = protocolClasses(for: loadRequest.request.url)
        guard !classes.isEmpty, let task = client.task else { return nil }
        let request = ProtocolRequest.make(loadRequest, settings: settings)
        let type = ProtocolRequest.with(request, of: task) {
            classes.first { $0.canInit(with: task) }
        }
        guard let type else { return nil }
        let canonical = type.canonicalRequest(for: request)
        let policy = settings.cachePolicy(for: canonical)
        return ProtocolLoader(
            ProtocolLoadContext(
                type: type,
                request: ProtocolRequest.withBodyStream(canonical),
                task: task,
                cache: policy == .reloadIgnoringLocalAndRemoteCacheData ? nil : settings.urlCache,
                looksIntoCache: policy != .reloadIgnoringLocalCacheData,
                limits: ProtocolLimits(idle: settings.idleLimit(for: canonical), total: timeLimit)
            ),
            client: client
        )
    }

    /// The classes to ask, in order.
    private func protocolClasses(for url: URL?) -> [URLProtocol.Type] {
        let own = settings.protocols.classes
        let registered = ProtocolRegistry.shared.classes
        guard !own.isEmpty || !registered.isEmpty, let url else { return [] }
        let types = own.compactMap { $0 as? URLProtocol.Type }
        if isShared { return registered + types }
        return Self.isServed(url) ? types : types + registered
    }

    /// Whether sessions load a URL without a user's class.
    private static func isServed(_ url: URL) -> Bool {
        ["http", "https", "data", "file"].contains(url.scheme?.lowercased() ?? "")
    }

    /// Creates the loader for a `data:` or `file:` URL. `nil` for other URLs.
    func localLoader(for loadRequest: LoadRequest, client: TaskCore) -> (any Loader)? {
        guard let url = loadRequest.request.url else { return nil }
        return switch url.scheme?.lowercased() {
        case "data": LocalLoader(client: client) { try LocalData(url) }
        case "file": LocalLoader(client: client) { try LocalFile(url) }
        default: nil
        }
    }
}
