internal import CoreMetrics
internal import CurlTransport
internal import Synchronization

/// What distinguishes the values of a metric.
struct RequestDimensions: Hashable, Sendable {
    let method: String
    var server: RequestOrigin
    var template: String?
    var statusCode: Int?
    var version: String?
    var errorType: String?

    /// The dimensions that are known before the response.
    var ofServer: RequestDimensions { RequestDimensions(method: method, server: server) }

    /// Names and values for a backend.
    var pairs: [(String, String)] {
        var pairs = [("http.request.method", method)] + server.dimensions
        if let template { pairs.append(("url.template", template)) }
        if let statusCode { pairs.append(("http.response.status_code", "\(statusCode)")) }
        if let version { pairs.append(("network.protocol.version", version)) }
        if let errorType { pairs.append(("error.type", errorType)) }
        return pairs
    }
}

extension RequestOrigin {
    /// Names and values for a backend.
    var dimensions: [(String, String)] {
        [("server.address", host), ("server.port", "\(port)"), ("url.scheme", scheme)]
    }
}

/// The metrics of requests, made once for each set of dimensions.
final class RequestInstruments: Sendable {
    /// The metrics of requests to a server.
    struct Begun: Sendable {
        let active: Meter
        let queue: Timer
    }

    /// The metrics of ended transfers.
    struct Ended: Sendable {
        let duration: Timer
        let responseSize: Recorder
    }

    private struct Tables {
        var begun: [RequestDimensions: Begun] = [:]
        var ended: [RequestDimensions: Ended] = [:]
        var hedges: [RequestDimensions: Counter] = [:]
    }

    /// Nil for that of `MetricsSystem`.
    private let factory: (any MetricsFactory)?
    private let tables = Mutex(Tables())
    /// Beyond this number of sets, metrics are made for each request.
    private static let maximumCount = 4096

    init(_ factory: (any MetricsFactory)?) {
        self.factory = factory
    }

    func begun(_ dimensions: RequestDimensions) -> Begun {
        if let known = tables.withLock({ $0.begun[dimensions] }) { return known }
        // Not under the lock: a backend may take its time.
        let factory = factory ?? MetricsSystem.factory
        let pairs = dimensions.pairs
        let made = Begun(
            active: Meter(
                label: "http.client.active_requests",
                dimensions: pairs,
                factory: factory
            ),
            queue: Timer(label: "http.client.queue.duration", dimensions: pairs, factory: factory)
        )
        // The first one counts, so that increments and decrements meet.
        return tables.withLock { tables in
            if let known = tables.begun[dimensions] { return known }
            if tables.begun.count < Self.maximumCount { tables.begun[dimensions] = made }
            return made
        }
    }

    func ended(_ dimensions: RequestDimensions) -> Ended {
        if let known = tables.withLock({ $0.ended[dimensions] }) { return known }
        let factory = factory ?? MetricsSystem.factory
        let pairs = dimensions.pairs
        let made = Ended(
            duration: Timer(
                label: "http.client.request.duration",
                dimensions: pairs,
                factory: factory
            ),
            responseSize: Recorder(
                label: "http.client.response.body.size",
                dimensions: pairs,
                aggregate: true,
                factory: factory
            )
        )
        return tables.withLock { tables in
            if let known = tables.ended[dimensions] { return known }
            if tables.ended.count < Self.maximumCount { tables.ended[dimensions] = made }
            return made
        }
    }

    /// Counts second requests to a server. It doesn't exist before the first one.
    func hedges(_ dimensions: RequestDimensions) -> Counter {
        if let known = tables.withLock({ $0.hedges[dimensions] }) { return known }
        let made = Counter(
            label: "http.client.hedges",
            dimensions: dimensions.pairs,
            factory: factory ?? MetricsSystem.factory
        )
        return tables.withLock { tables in
            if let known = tables.hedges[dimensions] { return known }
            if tables.hedges.count < Self.maximumCount { tables.hedges[dimensions] = made }
            return made
        }
    }
}
