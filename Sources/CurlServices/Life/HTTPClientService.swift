public import CurlTransport
public import ServiceLifecycle

/// Ends a client with the services of a program.
///
/// ```swift
/// let client = try HTTPClient()
/// let group = ServiceGroup(
///     services: [HTTPClientService(client, grace: .seconds(20)), server],
///     gracefulShutdownSignals: [.sigterm],
///     logger: logger
/// )
/// try await group.run()
/// ```
///
/// A service group shuts its services down in reverse order. So name the client before the services
/// that send requests with it: they end first, and may complete what they do. Then the client
/// completes its transfers for the time of the grace, and cancels the rest. If the group cancels
/// its services, the client cancels its transfers at once.
public struct HTTPClientService: Service {
    /// The client that ends.
    public let client: HTTPClient

    /// The time that transfers have after the beginning of a graceful shutdown.
    public let grace: Duration

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - client: A client with a transport of its own. The shared client doesn't end.
    ///   - grace: The time that transfers have after the beginning of a graceful shutdown. Default:
    ///     30 seconds.
    public init(_ client: HTTPClient, grace: Duration = .seconds(30)) {
        self.client = client
        self.grace = grace
    }

    /// Waits for the shutdown, and ends the client.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before a graceful shutdown.
    public func run() async throws {
        do {
            try await gracefulShutdown()
        } catch {
            await client.shutdown(.cancel)
            throw error
        }
        await client.shutdown(within: grace)
    }
}
