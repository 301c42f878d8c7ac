internal import CurlTransport
internal import HTTPTypes

/// What the page "Embedding in a service" shows.
struct Embedding: Sendable {
    let print: Print

    func run(_ serve: (HTTPClient) async throws -> Void) async throws {
        // snippet: Embedding/run
        var configuration = TransportConfiguration()
        configuration.maximumQueued = 10_000
        var options = TransferOptions()
        options.timeouts.total = .seconds(30)
        let client = try HTTPClient(configuration: configuration, options: options)

        try await serve(client)  // returns after SIGTERM

        await client.shutdown(.finish)
        // end
    }

    func metrics(_ client: HTTPClient, _ request: HTTPRequest) async throws {
        // snippet: Embedding/metrics
        let response = try await client.send(request)
        let body = try await response.body.collect(upTo: 1 << 20)
        if let metrics = response.metrics {
            let connection = metrics.isConnectionReused ? "reused" : "new"
            print("\(body.count) bytes, \(metrics.total), \(connection), \(metrics.peer ?? "-")")
        }
        // end
    }

    func statistics(_ client: HTTPClient) async {
        // snippet: Embedding/statistics
        let statistics = await client.statistics()
        for origin in statistics.origins where origin.waiting > 0 {
            print("\(origin.origin): \(origin.waiting) wait, up to \(origin.oldestWait ?? .zero)")
        }
        // end
    }

    func log() throws -> HTTPClient {
        // snippet: Embedding/log
        var hooks = ClientHooks()
        hooks.log = { transfer, line in print("\(transfer) \(line.text)") }
        var options = TransferOptions()
        options.isVerbose = true
        let client = try HTTPClient(options: options, hooks: hooks)
        // end
        return client
    }

    func middleware(
        _ logging: any HTTPMiddleware,
        _ authentication: any HTTPMiddleware
    ) throws -> HTTPClient {
        // snippet: Embedding/middleware
        let client = try HTTPClient(middleware: [logging, authentication])
        // end
        return client
    }
}
