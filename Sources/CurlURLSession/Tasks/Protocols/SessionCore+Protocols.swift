internal import CurlTransport
internal import Foundation

// Loads without the network.

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
