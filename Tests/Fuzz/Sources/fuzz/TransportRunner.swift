internal import CurlTransport
internal import FuzzWire
internal import HTTPTypes

/// Runs `HTTPClient`: bodies collected, streamed, abandoned or downloaded; requests cancelled.
struct TransportRunner: CaseRunner {
    private static let limit = Duration.seconds(20)
    private static let limitOfStalled = Duration.milliseconds(300)
    /// Extra time for a busy machine, in seconds.
    private static let slack = 20.0
    private static let tagName = HTTPField.Name("X-Tag")

    private struct Way {
        let decodes, follows: Bool
        let options, stalledOptions: PreparedOptions
        /// For downloads, which don't accept prepared options.
        let plainOptions: TransferOptions

        init(decodes: Bool, follows: Bool) throws {
            self.decodes = decodes
            self.follows = follows
            var options = TransferOptions()
            options.decodesContent = decodes
            options.redirects = follows ? .follow() : .refuse
            options.timeouts.total = TransportRunner.limit
            self.options = try PreparedOptions(options)
            plainOptions = options
            options.timeouts.total = TransportRunner.limitOfStalled
            stalledOptions = try PreparedOptions(options)
        }
    }

    private enum Reading: CaseIterable {
        case collected
        case streamed
        case left
        case downloaded
        case cancelled
    }

    private let client: HTTPClient
    /// Asks whether an exchange is complete on the server's side.
    private let control: Control
    private let ways: [Way]
    private let port: UInt16
    private let folder: TemporaryFolder

    init(port: UInt16, folder: TemporaryFolder) throws {
        var configuration = TransportConfiguration()
        configuration.maximumIdleConnections = 64
        // Each case has an address of its own, and libcurl searches all of its cache for expired ones.
        configuration.dnsCacheLifetime = .zero
        client = try HTTPClient(configuration: configuration)
        control = try Control()
        ways = [
            try Way(decodes: true, follows: true), try Way(decodes: true, follows: false),
            try Way(decodes: false, follows: true),
        ]
        self.port = port
        self.folder = folder
    }

    func run(_ seed: UInt64, report: @escaping @Sendable (String) -> Void) async -> Int {
        var random = CaseRandom(seed, salt: 0x7ea2)
        let count = 1 + random.below(5)
        let authority = Self.authority(seed, port: port)
        var isTogether = random.percent(15)
        var jobs: [Job] = []
        for number in 0..<count {
            let kind = random.below(100)
            let exchange = Exchange(
                seed: seed,
                number: number,
                method: kind < 85 ? FUZZ_GET : kind < 92 ? FUZZ_HEAD : FUZZ_POST,
                authority: authority
            )
            let way = ways[Int(random.below(100)) < 80 ? 0 : 1 + Int(random.below(2))]
            let expected = Expectation(exchange, decodes: way.decodes, follows: way.follows)
            let choice = expected.stalls ? 0 : random.below(100)
            let reading: Reading =
                choice < 60
                ? .collected
                : choice < 85
                    ? .streamed : choice < 92 ? .left : choice < 97 ? .downloaded : .cancelled
            let job = Job(
                exchange: exchange,
                expected: expected,
                way: way,
                reading: reading,
                patience: random.below(6)
            )
            isTogether = isTogether && !expected.settles
            jobs.append(job)
        }
        if isTogether {
            await withDiscardingTaskGroup { group in
                for job in jobs { group.addTask { _ = await perform(job, report) } }
            }
        } else {
            for job in jobs where await !perform(job, report) { break }
        }
        return jobs.count
    }

    private struct Job: Sendable {
        let exchange: Exchange
        let expected: Expectation
        let way: Way
        let reading: Reading
        let patience: UInt32
    }

    /// Performs one exchange; returns whether its connection is fit for the next one.
    private func perform(_ job: Job, _ report: @Sendable (String) -> Void) async -> Bool {
        let start = fuzz_now()
        var outcome = await result(of: job)
        outcome.seconds = fuzz_now() - start
        let limit = (job.expected.stalls ? Self.limitOfStalled : Self.limit).seconds + Self.slack
        if let text = outcome.finding(job.exchange, job.expected, limit: limit) {
            report("exchange \(job.exchange.number), \(job.reading): \(text)")
        }
        let settles = job.expected.settles || job.reading == .left
        return await control.settle(job.exchange, settles, isCancelled: outcome.isCancelled)
    }

    private func result(of job: Job) async -> Outcome {
        guard job.reading == .cancelled else { return await send(job) }
        let task = Task { await send(job) }
        for _ in 0..<job.patience { await Task.yield() }
        task.cancel()
        return await task.value
    }

    private func send(_ job: Job) async -> Outcome {
        var outcome = Outcome()
        do throws(TransportError) {
            let method: HTTPRequest.Method =
                job.exchange.method == FUZZ_HEAD
                ? .head : job.exchange.method == FUZZ_POST ? .post : .get
            let request = try HTTPRequest(method: method, url: job.exchange.url)
            let body: RequestBody = method == .post ? .text("posted") : .none
            let options = job.expected.stalls ? job.way.stalledOptions : job.way.options
            if job.reading == .downloaded {
                let options = job.way.plainOptions
                try await download(request, body, options, job.exchange, into: &outcome)
                return outcome
            }
            let response = try await client.send(request, body: body, options: options)
            outcome.status = response.statusCode
            if let name = Self.tagName { outcome.tag = response.headerFields[name] }
            try await read(response, job, into: &outcome)
        } catch {
            outcome.failure = error.description
            outcome.isDefect = error.code == .internal || error.code == .unknown
            outcome.isCancelled = error.code == .cancelled && job.reading == .cancelled
        }
        return outcome
    }

    private func read(
        _ response: HTTPClientResponse,
        _ job: Job,
        into outcome: inout Outcome
    ) async throws(TransportError) {
        switch job.reading {
        case .collected, .downloaded, .cancelled:
            outcome.body = try await response.body.collect(upTo: 1 << 26)
        case .streamed:
            for try await chunk in response.body { outcome.body += chunk }
        case .left:
            var chunks = response.body.makeAsyncIterator()
            outcome.body = try await chunks.next() ?? []
            outcome.isPartial = true
        }
    }

    private func download(
        _ request: HTTPRequest,
        _ body: RequestBody,
        _ options: TransferOptions,
        _ exchange: Exchange,
        into outcome: inout Outcome
    ) async throws(TransportError) {
        let path = folder.path(for: exchange)
        let response = try await client.download(request, to: path, body: body, options: options)
        outcome.status = response.statusCode
        if let name = Self.tagName { outcome.tag = response.headerFields[name] }
        guard let content = TemporaryFolder.takeFile(path) else {
            outcome.isDefect = true
            outcome.failure = "the downloaded file isn't there"
            return
        }
        outcome.body = content
    }

    func end() async {
        await client.shutdown()
        await control.end()
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
