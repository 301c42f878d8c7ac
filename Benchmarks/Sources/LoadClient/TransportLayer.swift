internal import CurlTransport
internal import LoadKit
internal import LoadSupport

/// The delegate API: results are handed to the thread that submits, as in the hand-off floor.
struct TransportLayer: Sendable {
    private let options: LoadOptions
    private let transport: Transport
    private let requests: RequestMaker
    private let body: RequestBody
    private let prepared: PreparedOptions

    init(_ options: LoadOptions) throws(TransportError) {
        self.options = options
        transport = try Transport(configuration: .forLoad(options))
        requests = try RequestMaker(options)
        body = .forLoad(options)
        prepared = try PreparedOptions(.forLoad(options))
    }

    /// Blocks the calling thread until all requests have ended.
    func run() -> Tally {
        let results = ResultQueue()
        let places = (0..<options.concurrency).map {
            TransferPlace(index: $0, options: options, results: results)
        }
        var tally = Tally(reserving: options.requests)
        let started = load_now()
        var issued = 0
        for place in places { start(&issued, on: place) }
        var ended: [Int] = []
        var endedCount = 0
        while endedCount < options.requests {
            ended.removeAll(keepingCapacity: true)
            results.waitAndTake(into: &ended)
            for index in ended {
                places[index].finish(&tally)
                if issued < options.requests { start(&issued, on: places[index]) }
            }
            endedCount += ended.count
        }
        tally.seconds = (load_now() - started) / 1e3
        return tally
    }

    func shutdown() async {
        await transport.shutdown()
    }

    private func start(_ issued: inout Int, on place: TransferPlace) {
        place.begin()
        let request = requests.request(number: issued)
        issued += 1
        transport.start(
            TransferRequest(request, body: body, options: prepared),
            delegate: place
        )
    }
}
