internal import BatchFetch
internal import FuzzWire

/// Runs `Batch`: many URLs on one host, bodies in memory or in files.
struct BatchRunner: CaseRunner {
    /// In seconds: three attempts of 20 seconds, and the pauses between them.
    private static let slack = 90.0

    private let port: UInt16
    private let folder: TemporaryFolder

    init(port: UInt16, folder: TemporaryFolder) {
        self.port = port
        self.folder = folder
    }

    func run(_ seed: UInt64, report: @escaping @Sendable (String) -> Void) async -> Int {
        var random = CaseRandom(seed, salt: 0xba7c)
        let authority = Self.authority(seed, port: port)
        var exchanges: [Exchange] = []
        var expectations: [Expectation] = []
        for number in 0..<(10 + random.below(40)) {
            let exchange = Exchange(
                seed: seed,
                number: number,
                method: FUZZ_GET,
                authority: authority,
                kind: FUZZ_CROWDED
            )
            let expected = Expectation(exchange, decodes: true, follows: true)
            // Each stalled exchange would take a whole timeout.
            guard !expected.stalls else { continue }
            exchanges.append(exchange)
            expectations.append(expected)
        }
        let path = "\(folder.path)/batch-\(seed)"
        let writesFiles = random.percent(50)
        var configuration = BatchConfiguration(
            concurrency: 1 + Int(random.below(12)),
            timeout: .seconds(20),
            retry: BatchRetryPolicy(
                limit: Int(random.below(3)),
                baseDelay: .milliseconds(1),
                maximumRetryAfter: .milliseconds(1)
            ),
            output: writesFiles ? .directory(path) : .memory(limit: 1 << 26)
        )
        configuration.politeness.breaker = nil
        configuration.concurrencyPerHost = configuration.concurrency
        configuration.keepsPartialFiles = random.percent(50)
        defer { if writesFiles { fuzz_remove_folder(path) } }
        do {
            let start = fuzz_now()
            let run = try Batch(configuration).start(.urls(exchanges.map(\.url)))
            var places = Dictionary(
                uniqueKeysWithValues: exchanges.enumerated().map { ($1.url, $0) }
            )
            for await result in run {
                guard let place = places.removeValue(forKey: result.url) else {
                    report("a second result, or one of another URL: \(result.url)")
                    continue
                }
                var outcome = Self.outcome(result, folder: writesFiles ? path : nil)
                outcome.seconds = fuzz_now() - start
                let (exchange, expected) = (exchanges[place], expectations[place])
                let isSuccess = (200..<300).contains(expected.status)
                // Without retries a request is sent twice at most, and each of these connections may
                // have been closed after the response to an earlier request.
                let mayBeLost =
                    configuration.retry.limit == 0 && result.failure?.code == .unanswered
                if let text = outcome.finding(
                    exchange,
                    isSuccess && !mayBeLost ? expected : expected.allowingFailure,
                    limit: Self.slack
                ) {
                    report("exchange \(exchange.number): \(text)")
                }
            }
            for url in places.keys { report("no result of \(url)") }
            if let failure = run.inputFailure ?? run.stopFailure ?? run.outputFailure {
                report("the run fails: \(failure)")
            }
        } catch {
            report("the run doesn't start: \(error)")
        }
        return exchanges.count
    }

    private static func outcome(_ result: BatchResult, folder: String?) -> Outcome {
        var outcome = Outcome()
        outcome.status = result.status
        if let failure = result.failure {
            outcome.failure = "\(failure.code): \(failure)"
            outcome.isDefect = failure.message.contains("Report this as a defect")
            return outcome
        }
        guard let folder else {
            outcome.body = result.body ?? []
            return outcome
        }
        guard let path = result.path, let content = TemporaryFolder.takeFile("\(folder)/\(path)")
        else {
            outcome.isDefect = true
            outcome.failure = "the file isn't there: \(result.path ?? "no path")"
            return outcome
        }
        outcome.body = content
        return outcome
    }

    func end() async {}
}
