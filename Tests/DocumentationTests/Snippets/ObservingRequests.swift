internal import CurlNetworking
internal import CurlResilience
internal import CurlServices
internal import CurlTransport
internal import Foundation
internal import HTTPTypes
internal import Logging
internal import ServiceLifecycle

/// What the page "Observe requests" shows.
enum ObservingRequests {
    static func client() throws -> HTTPClient {
        // snippet: ObservingRequests/client
        var tracing = TracingMiddleware.Policy()
        tracing.excludedOrigins = ["https://payments.example"]
        let client = try HTTPClient(middleware: [
            try TracingMiddleware(tracing),
            LoggingMiddleware(),
            RetryMiddleware(),
            MetricsMiddleware(),
        ])
        // end
        return client
    }

    static func services(_ client: HTTPClient, _ server: any Service) -> [any Service] {
        // snippet: ObservingRequests/services
        let reporter = StatisticsReporter(client, every: .seconds(15))
        let services: [any Service] = [HTTPClientService(client), reporter, server]
        // end
        return services
    }

    static func session(_ logger: Logger) -> URLSessionConfiguration {
        // snippet: ObservingRequests/session
        let configuration = URLSessionConfiguration.default
        configuration.transferObservers = [
            MetricsMiddleware().observer, LoggingMiddleware(logger).observer,
        ]
        // end
        return configuration
    }

    static func name(_ client: HTTPClient, _ request: HTTPRequest) async throws {
        // snippet: ObservingRequests/name
        let context = RequestContext(name: "GET /users/{id}")
        let response = try await client.send(request, context: context)
        // end
        _ = response
    }
}
