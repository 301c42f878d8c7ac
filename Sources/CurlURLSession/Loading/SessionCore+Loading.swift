internal import CurlTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

extension SessionCore {
    /// What loads a plan's request, and the request in the engine's form where it is the engine.
    ///
    /// Classes of the user's are asked first, on this thread, whether the request is theirs. What the
    /// engine doesn't know may be in this machine.
    ///
    /// - Throws: What is wrong with the request, or keeps the engine from starting.
    func loader(
        for plan: LoadPlan,
        _ terms: LoadTerms,
        client: TaskCore
    ) throws(TransportError) -> (loader: any Loader, outgoing: HTTPRequest?) {
        if let extra = terms.extra {
            let loader = try loader(
                for: plan,
                extra,
                timeLimit: terms.timeLimit,
                asksForTrust: terms.asksForTrust,
                client: client
            )
            return (loader, nil)
        }
        if let loader = protocolLoader(for: plan, timeLimit: terms.timeLimit, client: client) {
            return (loader, nil)
        }
        do throws(TransportError) {
            let outgoing = try OutgoingRequest(plan, settings: settings).make()
            let options = try self.options(
                for: plan,
                outgoing,
                asksForTrust: terms.asksForTrust,
                collectsContent: terms.collectsContent
            )
            return try networkLoader(for: plan, terms, outgoing, options, client)
        } catch {
            // The engine reads such URLs with its own eyes, which may find other faults than these.
            guard [.unsupportedURL, .invalidURL].contains(error.code),
                let loader = localLoader(for: plan, client: client)
            else { throw error }
            return (loader, nil)
        }
    }

    private func networkLoader(
        for plan: LoadPlan,
        _ terms: LoadTerms,
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

    /// What goes by the cache; `nil` where nothing is stored, or found.
    private func cachingLoader(
        for plan: LoadPlan,
        kind: TaskKind,
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

    /// What is loaded into a file, or follows an upload, isn't stored; nor is what a server gave to the
    /// owner of a certificate, who isn't told from others by the request. But what changes something at
    /// the server makes what is stored of it useless.
    private func cache(for plan: LoadPlan, kind: TaskKind) -> URLCache? {
        guard let cache = settings.urlCache, plan.authorization?.identity == nil else {
            return nil
        }
        let isSafe = CacheableRequest.isSafe(plan.request.state.method)
        return kind == .data || !isSafe ? cache : nil
    }

    /// How the engine is to treat the request.
    func options(
        for plan: LoadPlan,
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
