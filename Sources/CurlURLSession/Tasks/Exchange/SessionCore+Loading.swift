internal import CurlTransport
internal import Foundation
internal import HTTPSemantics
internal import HTTPTypes
internal import Synchronization

extension SessionCore {
    /// Creates the loader for a plan. Also returns the transport's request, if the transport loads
    /// it.
    ///
    /// Calls the user's `URLProtocol` classes first, on this thread. `data:` and `file:` URLs are
    /// loaded locally.
    ///
    /// - Throws: The fault of the request, or the reason why the transport can't start.
    func loader(
        for plan: LoadRequest,
        _ terms: LoadContext,
        client: TaskCore
    ) throws(TransportError) -> (loader: any Loader, outgoing: HTTPRequest?) {
        if let loader = try connectionLoader(for: plan, terms, client: client) {
            return (loader, nil)
        }
        if let loader = protocolLoader(for: plan, timeLimit: terms.timeLimit, client: client) {
            return (loader, nil)
        }
        do throws(TransportError) {
            let outgoing = try plan.httpRequest(settings)
            let options = try self.options(
                for: plan,
                outgoing,
                asksForTrust: terms.asksForTrust,
                collectsContent: terms.collectsContent
            )
            return try networkLoader(for: plan, terms, outgoing, options, client)
        } catch {
            // Checked last, because the transport may reject such URLs for another fault than their
            // scheme.
            guard [.unsupportedURL, .invalidURL].contains(error.code),
                let loader = localLoader(for: plan, client: client)
            else { throw error }
            return (loader, nil)
        }
    }

    private func networkLoader(
        for plan: LoadRequest,
        _ terms: LoadContext,
        _ outgoing: HTTPRequest,
        _ options: PreparedOptions,
        _ client: TaskCore
    ) throws(TransportError) -> (loader: any Loader, outgoing: HTTPRequest?) {
        let request = TransferRequest(
            outgoing,
            body: try plan.body.requestBody(of: plan.request, client: client),
            options: options,
            timeLimit: terms.timeLimit
        )
        if let loader = cachingLoader(for: plan, kind: terms.kind, request, client: client) {
            return (loader, outgoing)
        }
        let loader = NetworkLoader(request, transport: try transport(), client: client)
        return (loader, outgoing)
    }

    /// Creates a loader with a cache. `nil` if the cache is neither read nor written.
    private func cachingLoader(
        for plan: LoadRequest,
        kind: TaskKindState,
        _ transfer: TransferRequest,
        client: TaskCore
    ) -> CachingLoader? {
        let policy = settings.cachePolicy(for: plan.request)
        let cache = cache(for: plan, kind: kind)
        let largestBody = cache?.largestBody ?? 0
        let isPolicyEnough =
            policy == .returnCacheDataDontLoad || policy == .reloadIgnoringLocalAndRemoteCacheData
        guard largestBody > 0 || isPolicyEnough else { return nil }
        let transaction = CacheTransaction(
            settings.cachedRequest(of: plan, as: transfer.request),
            policy: policy,
            servesWhileRevalidating: true,
            largestBody: largestBody
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
    private func cache(for plan: LoadRequest, kind: TaskKindState) -> URLCache? {
        guard let cache = settings.urlCache, plan.authorization?.identity == nil else {
            return nil
        }
        let isSafe = CacheableRequest.isSafe(plan.request.state.method)
        return kind.isData || !isSafe ? cache : nil
    }

    /// Returns the transport options for a request.
    func options(
        for plan: LoadRequest,
        _ outgoing: HTTPRequest,
        asksForTrust: Bool,
        collectsContent: Bool = false
    ) throws(TransportError) -> PreparedOptions {
        let asks = asksForTrust && outgoing.scheme == "https"
        guard let authorization = plan.authorization, authorization.needsOptions else {
            return try settings.options(
                for: plan.request,
                evaluatesServerTrust: asks,
                collectsContent: collectsContent
            )
        }
        var options = try settings.transferOptions(
            for: plan.request,
            evaluatesServerTrust: asks,
            collectsContent: collectsContent
        )
        try authorization.apply(to: &options, isSecure: outgoing.scheme == "https")
        return try PreparedOptions(options)
    }
}

/// The properties of a task that its loads depend on.
struct LoadContext: Sendable {
    let session: URLSession
    /// The kind of task, which decides the loader, and whether a response may be stored.
    let kind: TaskKindState
    /// The time limit of the load; `nil` for none.
    let timeLimit: Duration?
    /// Whether a delegate can evaluate the server's certificates.
    let asksForTrust: Bool
    /// Whether the body is collected in memory.
    let collectsContent: Bool
}

extension SessionCore {
    /// Creates the loader of a WebSocket or stream task. `nil` for other tasks.
    private func connectionLoader(
        for plan: LoadRequest,
        _ terms: LoadContext,
        client: TaskCore
    ) throws(TransportError) -> (any Loader)? {
        switch terms.kind {
        case .data, .upload, .download:
            return nil
        case .webSocket(let webSocket):
            let request = try webSocketRequest(
                for: plan,
                timeLimit: terms.timeLimit,
                asksForTrust: terms.asksForTrust
            )
            return WebSocketLoader(
                request,
                over: webSocket.connection,
                transport: try transport(),
                client: client
            )
        case .stream(let stream):
            let request = try streamRequest(
                for: plan,
                stream,
                timeLimit: terms.timeLimit,
                asksForTrust: terms.asksForTrust
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
    /// Returns a plan's request for the cache, with all header fields that are sent.
    ///
    /// Credentials that the transport sends in another way are replaced by a marker.
    func cachedRequest(of plan: LoadRequest, as outgoing: HTTPRequest) -> URLRequest {
        var request = plan.request
        let addsNothing =
            additionalFields.lines.isEmpty && plan.authorization == nil
            && !outgoing.headerFields.contains { $0.name == .cookie }
        if !addsNothing {
            request.state.headerFields = RequestHeaderFields(
                outgoing.headerFields.map { HeaderLine(name: $0.name.rawName, value: $0.value) }
            )
        }
        if let server = plan.authorization?.server, server.scheme != .basic {
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
    /// Adds stored credentials that the plan's server and proxy have accepted before.
    func authorized(_ plan: LoadRequest) -> LoadRequest {
        guard !protection.isEmpty, let storage = settings.urlCredentialStorage,
            let url = plan.request.url
        else { return plan }
        var authorization = plan.authorization ?? Authorization()
        if authorization.server == nil, !settings.hasAuthorization(plan.request) {
            authorization.server = protection.space(of: url).flatMap { known($0, storage) }
        }
        if authorization.proxy == nil, let proxy = settings.proxy(for: url),
            proxy.credentials == nil
        {
            authorization.proxy = protection.space(of: proxy).flatMap { known($0, storage) }
        }
        guard authorization.server != nil || authorization.proxy != nil else { return plan }
        var plan = plan
        plan.authorization = authorization
        return plan
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
    /// Creates a loader with the user's protocol class for a plan. `nil` if no class accepts it.
    ///
    /// Calls the classes on this thread.
    func protocolLoader(
        for plan: LoadRequest,
        timeLimit: Duration?,
        client: TaskCore
    ) -> (any Loader)? {
        let classes = protocolClasses(for: plan.request.url)
        guard !classes.isEmpty, let task = client.task else { return nil }
        let request = ProtocolRequest.make(plan, settings: settings)
        let type = ProtocolRequest.with(request, of: task) {
            classes.first { $0.canInit(with: task) }
        }
        guard let type else { return nil }
        let canonical = type.canonicalRequest(for: request)
        let policy = settings.cachePolicy(for: canonical)
        return ProtocolLoader(
            ProtocolLoadPlan(
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
    func localLoader(for plan: LoadRequest, client: TaskCore) -> (any Loader)? {
        guard let url = plan.request.url else { return nil }
        return switch url.scheme?.lowercased() {
        case "data": LocalLoader(client: client) { try LocalData(url) }
        case "file": LocalLoader(client: client) { try LocalFile(url) }
        default: nil
        }
    }
}
