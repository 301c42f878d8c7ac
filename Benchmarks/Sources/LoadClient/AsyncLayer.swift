internal import CurlTransport
internal import LoadKit

/// The lean client: each place in flight is a task that awaits one response after the other, on the
/// client's own thread or in Swift's pool.
final class AsyncLayer: Sendable {
    private let options: LoadOptions
    private let client: HTTPClient
    private let requests: RequestMaker
    private let body: RequestBody
    private let usesPool: Bool
    private let hasDeadlines: Bool

    init(_ options: LoadOptions, usesPool: Bool, hasDeadlines: Bool) throws(TransportError) {
        self.options = options
        self.usesPool = usesPool
        self.hasDeadlines = hasDeadlines
        client = try HTTPClient(
            configuration: .forLoad(options),
            options: .forLoad(options)
        )
        requests = try RequestMaker(options)
        body = .forLoad(options)
    }

    func run() async -> Tally {
        await withTaskExecutorPreference(usesPool ? nil : client.taskExecutor) {
            await load().run()
        }
    }

    func shutdown() async {
        await client.shutdown()
    }

    private func load() -> AsyncLoad {
        guard options.mode == .download else {
            return AsyncLoad(options) { [self] number, _ in try await get(number) }
        }
        guard options.output != nil else {
            return AsyncLoad(options) { [self] number, _ in try await drop(number) }
        }
        return AsyncLoad(options) { [self] number, place in try await save(number, place) }
    }

    /// The deadline of a request that begins now; later than any response comes.
    private var deadline: ContinuousClock.Instant? {
        hasDeadlines ? ContinuousClock.now.advanced(by: .seconds(600)) : nil
    }

    private func get(_ number: Int) async throws(TransportError) -> Outcome {
        let response = try await client.send(
            requests.request(number: number),
            body: body,
            deadline: deadline
        )
        let received = try await response.body.collect(upTo: .max).count
        return Outcome(response, received: received, upload: options.uploadBytes)
    }

    private func drop(_ number: Int) async throws(TransportError) -> Outcome {
        let response = try await client.send(requests.request(number: number), deadline: deadline)
        var received = 0
        for try await chunk in response.body { received += chunk.count }
        return Outcome(response, received: received, upload: 0)
    }

    private func save(_ number: Int, _ place: Int) async throws(TransportError) -> Outcome {
        let response = try await client.download(
            requests.request(number: number),
            to: options.output(ofPlace: place) ?? "",
            deadline: deadline
        )
        return Outcome(response, received: Int(response.metrics?.bodyBytes ?? 0), upload: 0)
    }
}

extension Outcome {
    /// Of a response that has been read to its end: the metrics aren't known earlier.
    fileprivate init(_ response: HTTPClientResponse, received: Int, upload: Int) {
        let metrics = response.metrics
        self.init(
            status: response.statusCode,
            received: received,
            // The metrics count the request's head, too.
            sent: min(Int(metrics?.requestBytes ?? 0), upload),
            openedConnection: metrics?.isConnectionReused == false
        )
    }
}
