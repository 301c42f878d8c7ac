public import Configuration
public import CurlTransport
public import HTTPTypes
internal import Logging
public import ServiceLifecycle
internal import Synchronization

/// A client whose settings are read from swift-configuration, and follow it while it runs.
///
/// ```swift
/// let client = try ReloadingClient(reading: config.scoped(to: "http.client"))
/// let group = ServiceGroup(
///     services: [provider, client, server],
///     gracefulShutdownSignals: [.sigterm],
///     logger: logger
/// )
/// ```
///
/// It reads the keys of ``ClientSettings``. As a service, it watches them: after a change, new
/// requests use the new timeouts, roots, identity and proxy. If limits or lifetimes of connections
/// have changed, they use new connections, too; requests in flight complete on the former ones,
/// which are closed then. Settings that aren't valid change nothing, and `onReload` gets the error;
/// without it, the error is logged.
///
/// A file of roots, a certificate or a key may also be replaced under the same name, without a
/// change of the configuration.
public final class ReloadingClient: HTTPExchanging, Service {
    private struct State: Sendable {
        var settings: ClientSettings
        var client: HTTPClient
        /// Nil for the client's own.
        var options: PreparedOptions?
        /// The transports of former clients, which end with their last transfers.
        var former: [FormerTransport] = []

        /// The transports that transfers may use now.
        var transports: [Transport] { [client.transport] + former.compactMap(\.transport) }
    }

    private struct FormerTransport: Sendable {
        weak let transport: Transport?
    }

    private let reader: ConfigReader
    private let defaults: ClientSettings
    private let hooks: ClientHooks
    private let middleware: [any HTTPMiddleware]
    private let grace: Duration
    private let onReload: (@Sendable (Result<ClientSettings, TransportError>) -> Void)?
    private let state: Mutex<State>

    /// Creates a client with the current settings.
    ///
    /// - Parameters:
    ///   - reader: Where the keys are. `scoped(to:)` puts a prefix before them.
    ///   - defaults: The values of keys that aren't there.
    ///   - hooks: Called during the transfers.
    ///   - middleware: Called around each request; the first is the outermost. Default: none.
    ///   - grace: The time that transfers have after the beginning of a graceful shutdown. Default:
    ///     30 seconds.
    ///   - onReload: Called in the service's task after each change, with the new settings, or with
    ///     the reason why they can't be used. Default: a line at `error`, with the logger of the
    ///     service's task, about settings that can't be used.
    /// - Throws: `TransportError.Code.configuration` if the settings can't be used.
    public init(
        reading reader: ConfigReader,
        defaults: ClientSettings = ClientSettings(),
        hooks: ClientHooks = ClientHooks(),
        middleware: [any HTTPMiddleware] = [],
        grace: Duration = .seconds(30),
        onReload: (@Sendable (Result<ClientSettings, TransportError>) -> Void)? = nil
    ) throws(TransportError) {
        let settings = try ClientSettings(reading: reader, defaults: defaults)
        let client = try HTTPClient(
            configuration: settings.configuration,
            options: settings.options,
            hooks: hooks,
            middleware: middleware
        )
        self.reader = reader
        self.defaults = defaults
        self.hooks = hooks
        self.middleware = middleware
        self.grace = grace
        self.onReload = onReload
        state = Mutex(State(settings: settings, client: client))
    }

    /// The settings of new requests.
    public var settings: ClientSettings { state.withLock { $0.settings } }

    /// Sends a request with the current settings, or with the options of its context.
    public func send(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext
    ) async throws(TransportError) -> HTTPClientResponse {
        let (client, options) = state.withLock { ($0.client, $0.options) }
        var context = context
        if context.options == nil { context.options = options }
        return try await client.send(request, body: body, context: context)
    }

    /// What the client's origins and event loops do now, without those of former connections.
    ///
    /// - Parameter limit: How long to wait for the event loops, all together. Default: 5 seconds.
    public func statistics(within limit: Duration = .seconds(5)) async -> TransportStatistics {
        await state.withLock { $0.client }.statistics(within: limit)
    }

    /// Watches the settings until a graceful shutdown, and ends the client.
    ///
    /// Transfers of connections from before a change have the grace, too.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before a graceful shutdown; an error
    ///   of the configuration's provider.
    public func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { [self] in
                do {
                    try await reader.watchSnapshot { updates in
                        for await snapshot in updates { reload(snapshot) }
                    }
                } catch is CancellationError {
                    return
                }
            }
            // A provider whose values never change may have ended the sequence.
            try await gracefulShutdown()
        } catch {
            await shutdown(within: .zero)
            throw error
        }
        await shutdown(within: grace)
    }

    /// Ends the client, and former ones that still have transfers.
    private func shutdown(within grace: Duration) async {
        let transports = state.withLock { $0.transports }
        await withDiscardingTaskGroup { group in
            for transport in transports {
                group.addTask { await transport.shutdown(within: grace) }
            }
        }
    }

    private func reload(_ snapshot: ConfigSnapshotReader) {
        do throws(TransportError) {
            let settings = try ClientSettings(reading: snapshot, defaults: defaults)
            guard settings != self.settings else { return }
            try use(settings)
            onReload?(.success(settings))
        } catch {
            guard let onReload else { return Self.log(error) }
            onReload(.failure(error))
        }
    }

    /// No caller gets this error.
    private static func log(_ error: TransportError) {
        Logger.current.error(
            "client not reconfigured",
            metadata: [
                "error.type": .string(error.code.description),
                "error.message": .string(error.message),
            ]
        )
    }

    private func use(_ settings: ClientSettings) throws(TransportError) {
        let options = try PreparedOptions(settings.options)
        guard settings.configuration != self.settings.configuration else {
            return state.withLock { state in
                state.settings = settings
                state.options = options
            }
        }
        let client = try HTTPClient(
            configuration: settings.configuration,
            options: settings.options,
            hooks: hooks,
            middleware: middleware
        )
        // The former client ends with its last transfer. It is released after the lock, and not
        // shut down: a request may have taken it just before.
        let former = state.withLock { state in
            let former = state.client
            state.former.removeAll { $0.transport == nil }
            state.former.append(FormerTransport(transport: former.transport))
            state.settings = settings
            state.client = client
            state.options = nil
            return former
        }
        extendLifetime(former)
    }
}
