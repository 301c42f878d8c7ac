internal import CurlServices
internal import CurlTransport

/// What the documentation comments of `CurlServices` show.
///
/// Compiled only: they name servers that don't exist.
enum ServiceComments {
    static func logging() throws {
        // snippet: LoggingMiddleware.swift/client
        let client = try HTTPClient(middleware: [LoggingMiddleware()])
        // end
        _ = client
    }

    static func metrics() throws {
        // snippet: MetricsMiddleware.swift/client
        let client = try HTTPClient(middleware: [MetricsMiddleware()])
        // end
        _ = client
    }

    static func tracing() throws {
        // snippet: TracingMiddleware.swift/client
        let client = try HTTPClient(middleware: [TracingMiddleware()])
        // end
        _ = client
    }
}
