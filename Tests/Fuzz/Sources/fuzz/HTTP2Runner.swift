internal import CurlTransport
internal import FuzzWire
internal import HTTPTypes

/// Runs `HTTPClient` over HTTP/2 by prior knowledge, with sequential or concurrent requests.
struct HTTP2Runner: CaseRunner {
    private static let limit = 20.0
    /// The timeout of exchanges that may never end, in seconds.
    private static let limitOfOdd = 0.3
    private static let slack = 20.0
    private static let tagName = HTTPField.Name("X-Tag")

    private let client: HTTPClient
    private let oddOptions: PreparedOptions
    private let port: UInt16

    init(port: UInt16) throws {
        var configuration = TransportConfiguration()
        configuration.maximumIdleConnections = 64
        // Each case has an address of its own, and libcurl searches all of its cache for expired ones.
        configuration.dnsCacheLifetime = .zero
        var options = TransferOptions()
        options.httpVersion = .http2PriorKnowledge
        options.timeouts.total = .seconds(Self.limit)
        client = try HTTPClient(configuration: configuration, options: options)
        options.timeouts.total = .seconds(Self.limitOfOdd)
        oddOptions = try PreparedOptions(options)
        self.port = port
    }

    func run(_ seed: UInt64, report: @escaping @Sendable (String) -> Void) async -> Int {
        var random = CaseRandom(seed, salt: 0x42)
        let isTogether = random.percent(50)
        let count = 1 + random.below(isTogether ? 12 : 5)
        let authority = Self.authority(seed, port: port)
        var jobs = (0..<count).map { number in
            let exchange = Exchange(
                seed: seed,
                number: number,
                method: FUZZ_GET,
                authority: authority,
                kind: FUZZ_HTTP2
            )
            return (exchange, Expectation(exchange, decodes: true, follows: true))
        }
        // A fault that breaks the connection may break all exchanges on it.
        let last = jobs.firstIndex { $0.1.isFatal } ?? jobs.count
        for place in jobs.indices where isTogether ? last < jobs.count : place > last {
            jobs[place].1 = jobs[place].1.allowingAnything
        }
        if isTogether {
            await withDiscardingTaskGroup { [jobs] group in
                for (exchange, expected) in jobs {
                    group.addTask { await perform(exchange, expected, report) }
                }
            }
        } else {
            for (exchange, expected) in jobs { await perform(exchange, expected, report) }
        }
        return jobs.count
    }

    private func perform(
        _ exchange: Exchange,
        _ expected: Expectation,
        _ report: @Sendable (String) -> Void
    ) async {
        let start = fuzz_now()
        var outcome = Outcome()
        do throws(TransportError) {
            let request = try HTTPRequest(url: exchange.url)
            let response =
                expected.verdict == FUZZ_MUST_SUCCEED
                ? try await client.send(request)
                : try await client.send(request, options: oddOptions)
            outcome.status = response.statusCode
            if let name = Self.tagName { outcome.tag = response.headerFields[name] }
            outcome.body = try await response.body.collect(upTo: 1 << 26)
        } catch {
            outcome.failure = error.description
            outcome.isDefect = error.code == .internal || error.code == .unknown
        }
        outcome.seconds = fuzz_now() - start
        if let text = outcome.finding(exchange, expected, limit: Self.limit + Self.slack) {
            report("exchange \(exchange.number): \(text)")
        }
    }

    func end() async {
        await client.shutdown()
    }
}
