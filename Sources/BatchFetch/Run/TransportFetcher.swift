import CurlTransport
import HTTPTypes
import Synchronization

/// Makes attempts with a transport of its own.
final class TransportFetcher: Fetcher {
    private let transport: Transport
    private let options: PreparedOptions
    private let traffic = Traffic()

    /// Starts the transport's threads.
    init(_ configuration: BatchConfiguration) throws(BatchFailure) {
        var options = TransferOptions()
        options.timeouts = Timeouts(total: configuration.timeout)
        var transport = TransportConfiguration()
        transport.eventLoopCount = configuration.eventLoopCount
        transport.maximumIdleConnections = max(64, configuration.concurrency)
        do {
            self.options = try PreparedOptions(options)
            self.transport = try Transport(configuration: transport)
        } catch {
            throw BatchFailure(.resources, error.message)
        }
    }

    deinit {
        transport.beginShutdown()
    }

    var receivedBytes: Int64 { traffic.received.load(ordering: .relaxed) }

    func start(
        _ target: FetchTarget,
        sink: @escaping @Sendable () -> any BodySink,
        completion: @escaping @Sendable (AttemptOutcome) -> Void
    ) {
        do {
            let request = try HTTPRequest(url: target.url)
            let attempt = FetchAttempt(
                url: request.url,
                traffic: traffic,
                sink: sink,
                completion: completion
            )
            transport.start(TransferRequest(request, options: options), delegate: attempt)
        } catch {
            var outcome = AttemptOutcome()
            outcome.failure = (BatchFailure(.invalidURL, error.message), .permanent)
            completion(outcome)
        }
    }

    func cancelAll() {
        transport.beginShutdown()
    }

    /// Counts what all attempts receive.
    final class Traffic: Sendable {
        let received = Atomic<Int64>(0)
    }
}
