internal import CurlTransport
internal import LoadKit

/// The lean client: each place in flight is a task that awaits one response after the other, on the
/// client's own thread or in Swift's pool.
struct AsyncLayer: Sendable {
    private let options: LoadOptions
    private let client: HTTPClient
    private let requests: RequestMaker
    private let body: RequestBody
    private let usesPool: Bool

    init(_ options: LoadOptions, usesPool: Bool) throws(TransportError) {
        self.options = options
        self.usesPool = usesPool
        client = try HTTPClient(
            configuration: .forLoad(options),
            options: .forLoad(options)
        )
        requests = try RequestMaker(options)
        body = .forLoad(options)
    }

    func run() async -> Tally {
        await withTaskExecutorPreference(usesPool ? nil : client.taskExecutor) {
            await AsyncLoad(options) { try await perform(number: $0, place: $1) }.run()
        }
    }

    func shutdown() async {
        await client.shutdown()
    }

    private func perform(number: Int, place: Int) async throws(TransportError) -> Outcome {
        let request = requests.request(number: number)
        if let path = options.output(ofPlace: place) {
            let response = try await client.download(request, to: path)
            return Outcome(response, received: Int(response.metrics?.bodyBytes ?? 0), upload: 0)
        }
        let response = try await client.send(request, body: body)
        var received = 0
        if options.mode == .download {
            for try await chunk in response.body { received += chunk.count }
        } else {
            received = try await response.body.collect(upTo: .max).count
        }
        return Outcome(response, received: received, upload: options.uploadBytes)
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
