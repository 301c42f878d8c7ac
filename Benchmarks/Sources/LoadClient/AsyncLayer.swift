internal import CurlTransport
internal import LoadSupport

/// The lean client: as many tasks as there are places in flight, each of which awaits one response
/// after the other.
struct AsyncLayer: Sendable {
    private let options: LoadOptions
    private let client: HTTPClient
    private let requests: RequestMaker
    private let body: RequestBody
    private let issued: IssuedCount

    init(_ options: LoadOptions) throws(TransportError) {
        self.options = options
        client = try HTTPClient(
            configuration: .forLoad(options),
            options: .forLoad(options)
        )
        requests = try RequestMaker(options)
        body = .forLoad(options)
        issued = IssuedCount(limit: options.requests)
    }

    func run() async -> Tally {
        await withTaskGroup(of: Tally.self) { group in
            for place in 0..<options.concurrency {
                group.addTask { await work(place: place) }
            }
            var sum = Tally()
            sum.latencies.reserveCapacity(options.requests)
            for await tally in group { sum.add(tally) }
            return sum
        }
    }

    func shutdown() async {
        await client.shutdown()
    }

    private func work(place: Int) async -> Tally {
        var tally = Tally()
        while let number = issued.next() {
            let started = load_now()
            do throws(TransportError) {
                let (response, received) = try await perform(number: number, place: place)
                if response.metrics?.isConnectionReused == false { tally.connectionsOpened += 1 }
                tally.count(
                    problem: Tally.problem(
                        status: response.statusCode,
                        received: received,
                        options: options
                    ),
                    bytes: options.mode == .upload ? options.bodyBytes ?? 0 : received,
                    started: started
                )
            } catch {
                tally.count(problem: "\(error)", bytes: 0, started: started)
            }
        }
        return tally
    }

    private func perform(
        number: Int,
        place: Int
    ) async throws(TransportError) -> (HTTPClientResponse, received: Int) {
        let request = requests.request(number: number)
        if options.mode == .download, let path = options.output(ofPlace: place) {
            let response = try await client.download(request, to: path)
            return (response, Int(response.metrics?.bodyBytes ?? 0))
        }
        let response = try await client.send(request, body: body)
        guard options.mode == .download else {
            return (response, try await response.body.collect(upTo: .max).count)
        }
        var received = 0
        for try await chunk in response.body { received += chunk.count }
        return (response, received)
    }
}
