import CurlTransport
import HTTPTypes
import Synchronization

/// Makes attempts with a transport of its own.
final class TransportFetcher: Fetcher {
    private let transport: Transport
    private let options: PreparedOptions
    /// For lines that have a limit of their own.
    private let untimedOptions: PreparedOptions
    private let digests: Set<DigestAlgorithm>
    private let isHeadOnly: Bool
    private let traffic = Traffic()

    /// Starts the transport's threads.
    init(_ configuration: BatchConfiguration) throws(BatchFailure) {
        var options = TransferOptions()
        options.decodesContent = !configuration.output.keepsTransferred
        let untimed = options
        options.timeouts = Timeouts(total: configuration.timeout)
        digests = configuration.digests
        isHeadOnly = configuration.isHeadOnly
        var transport = TransportConfiguration()
        transport.eventLoopCount = configuration.eventLoopCount
        transport.maximumIdleConnections = max(64, configuration.concurrency)
        do {
            self.options = try PreparedOptions(options)
            untimedOptions = try PreparedOptions(untimed)
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
        sink: @escaping SinkMaker,
        completion: @escaping @Sendable (AttemptOutcome) -> Void
    ) {
        do {
            let details = target.details?.request
            let method = details?.method ?? .get
            let request = try HTTPRequest(
                method: isHeadOnly && method == .get ? .head : method,
                url: target.url,
                headerFields: details?.headerFields ?? [:]
            )
            let attempt = FetchAttempt(
                request,
                digests: digests,
                expecting: details?.digests ?? [],
                traffic: traffic,
                sink: sink,
                completion: completion
            )
            let transfer = TransferRequest(
                request,
                body: Self.body(details?.body ?? .none),
                options: details?.timeout == nil ? options : untimedOptions,
                timeLimit: details?.timeout
            )
            transport.start(transfer, delegate: attempt)
        } catch {
            var outcome = AttemptOutcome()
            outcome.failure = (BatchFailure(.invalidURL, error.message), .permanent)
            completion(outcome)
        }
    }

    private static func body(_ body: BatchRequest.Body) -> RequestBody {
        switch body {
        case .none: .none
        case .bytes(let bytes): .bytes(bytes)
        case .file(let path): .file(path: path)
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
