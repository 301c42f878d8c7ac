public import CoreMetrics
public import CurlTransport
public import ServiceLifecycle
internal import Synchronization

/// Reports the statistics of a client to swift-metrics, every few seconds.
///
/// ```swift
/// let reporter = StatisticsReporter(client)
/// ```
///
/// | meter | of each | value |
/// | --- | --- | --- |
/// | `http.client.open_connections` | server, state | connections |
/// | `http.client.queued_requests` | server | requests in the client's queue |
/// | `http.client.queue.oldest_wait` | server | how long the first of them has waited, in seconds |
/// | `http.client.event_loop.busy` | loop | the busy part of the time since the last report, 0 to 1 |
///
/// Servers have the dimensions `server.address`, `server.port` and `url.scheme`. The state of
/// connections is the dimension `http.connection.state`: `active` with a request, or `idle`. A
/// connection over HTTP/2 counts once, however many requests it has. Those that are being opened,
/// through a proxy, to a Unix socket, or of a WebSocket don't count.
///
/// The busy part of a loop that doesn't answer within 5 seconds, because something blocks its
/// thread, is 1. Its other meters keep their values meanwhile.
///
/// The meters of a server that the client has forgotten, and of a loop that has ended, are set to
/// zero and removed from the backend. Run it as a service of a service group, or call ``report()``.
public final class StatisticsReporter: Service {
    private struct Key: Hashable, Sendable {
        let label: String
        var server: RequestOrigin?
        /// `http.connection.state`.
        var state: String?
        var loop: Int?

        func dimensions(of client: String?) -> [(String, String)] {
            var dimensions = server?.dimensions ?? []
            if let state { dimensions.append(("http.connection.state", state)) }
            if let loop { dimensions.append(("loop", "\(loop)")) }
            if let client { dimensions.append(("client", client)) }
            return dimensions
        }
    }

    private struct State {
        var meters: [Key: Meter] = [:]
        var loops: [LoopStatistics] = []
    }

    private let statistics: @Sendable () async -> TransportStatistics
    private let name: String?
    private let interval: Duration
    /// Nil for that of `MetricsSystem`.
    private let factory: (any MetricsFactory)?
    private let state = Mutex(State())

    /// Creates a reporter.
    ///
    /// - Parameters:
    ///   - name: The client's name: the dimension `client` of all meters. Default: none. Without
    ///     names, the reporters of several clients replace each other's values.
    ///   - interval: The time between two reports, at least a tenth of a second. Default: 10 seconds.
    ///   - factory: The backend. Default: that of `MetricsSystem`, which must have been bootstrapped
    ///     before the first report.
    public convenience init(
        _ client: HTTPClient,
        name: String? = nil,
        every interval: Duration = .seconds(10),
        factory: (any MetricsFactory)? = nil
    ) {
        self.init(
            of: { await client.statistics() },
            name: name,
            every: interval,
            factory: factory
        )
    }

    /// Creates a reporter of the values that `statistics` returns.
    init(
        of statistics: @escaping @Sendable () async -> TransportStatistics,
        name: String?,
        every interval: Duration,
        factory: (any MetricsFactory)?
    ) {
        self.statistics = statistics
        self.name = name
        // The clock can't add much longer times, such as `Int64.max` seconds.
        self.interval = min(max(interval, .milliseconds(100)), .seconds(1_000_000_000))
        self.factory = factory
    }

    /// Reports until a graceful shutdown, or until the task is cancelled.
    public func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                await report()
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// Reports the statistics now.
    public func report() async {
        let statistics = await statistics()
        var values: [Key: Double] = [:]
        for origin in statistics.origins {
            guard let server = RequestOrigin(origin.origin) else { continue }
            func key(_ label: String, _ state: String? = nil) -> Key {
                Key(label: label, server: server, state: state)
            }
            let connections = "http.client.open_connections"
            values[key(connections, "active")] = Double(origin.activeConnections)
            values[key(connections, "idle")] = Double(origin.idle)
            values[key("http.client.queued_requests")] = Double(origin.waiting)
            values[key("http.client.queue.oldest_wait")] = origin.oldestWait?.seconds ?? 0
        }
        let factory = factory ?? MetricsSystem.factory
        let (meters, forgotten) = state.withLock { state in
            for loop in statistics.loops {
                // A younger loop is that of another client, after a reload.
                let earlier = state.loops.first { $0.index == loop.index && $0.age <= loop.age }
                let key = Key(label: "http.client.event_loop.busy", loop: loop.index)
                values[key] = loop.busyShare(since: earlier)
            }
            state.loops = statistics.loops
            for key in values.keys where state.meters[key] == nil {
                state.meters[key] = Meter(
                    label: key.label,
                    dimensions: key.dimensions(of: name),
                    factory: factory
                )
            }
            let forgotten = state.meters.filter { values[$0.key] == nil }
            for key in forgotten.keys { state.meters[key] = nil }
            return (state.meters, forgotten)
        }
        for (key, meter) in meters { meter.set(values[key] ?? 0) }
        // A server that the client has forgotten has no connection and no request. A client of many
        // servers must not keep the meters of all of them.
        for meter in forgotten.values {
            meter.set(0)
            meter.destroy()
        }
    }
}
