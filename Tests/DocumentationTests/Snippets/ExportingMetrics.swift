internal import CurlServices
internal import CurlTransport
internal import HTTPTypes

/// What the page "Export metrics to Prometheus" shows, besides the exporter itself.
enum ExportingMetrics {
    static func report(_ url: String) async throws -> String {
        // snippet: ExportingMetrics/use
        let metrics = PrometheusMetrics(durationBuckets: MetricsMiddleware.durationBuckets)
        let client = try HTTPClient(middleware: [MetricsMiddleware(factory: metrics)])
        // hide
        let response = try await client.send(HTTPRequest(url: url))
        _ = try await response.body.collect(upTo: 1024)
        await client.shutdown()
        return metrics.text()
    }
}
