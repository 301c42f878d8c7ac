internal import CurlNetworking
internal import CurlURLSession
internal import Foundation
internal import FuzzWire

/// Runs `HTTPSessionManager`: verbs with handlers and async, data tasks, downloads.
struct ManagerRunner: CaseRunner {
    private static let limit = 20.0
    private static let limitOfStalled = 0.3
    private static let slack = 20.0

    private enum Reading: CaseIterable {
        case handled
        case awaited
        case task
        case downloaded
        case cancelled
    }

    private struct Job: Sendable {
        let exchange: Exchange
        let expected: Expectation
        let reading: Reading
        let patience: UInt32
    }

    private let manager: HTTPSessionManager
    private let impatient: HTTPSessionManager
    private let control: Control
    private let port: UInt16
    private let folder: TemporaryFolder

    init(port: UInt16, folder: TemporaryFolder) throws {
        manager = Self.manager(timeout: Self.limit)
        impatient = Self.manager(timeout: Self.limitOfStalled)
        control = try Control()
        self.port = port
        self.folder = folder
    }

    /// A manager that delivers bodies unchanged, whatever the status.
    private static func manager(timeout: Double) -> HTTPSessionManager {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = limit
        let manager = HTTPSessionManager(sessionConfiguration: configuration)
        manager.requestSerializer.timeoutInterval = timeout
        let serializer = HTTPResponseSerializer()
        serializer.acceptableStatusCodes = nil
        manager.responseSerializer = serializer
        manager.completionQueue = DispatchQueue(label: "fuzz", attributes: .concurrent)
        return manager
    }

    func run(_ seed: UInt64, report: @escaping @Sendable (String) -> Void) async -> Int {
        var random = CaseRandom(seed, salt: 0x3a4a)
        let count = 1 + random.below(5)
        let authority = Self.authority(seed, port: port)
        for number in 0..<count {
            let kind = random.below(100)
            let exchange = Exchange(
                seed: seed,
                number: number,
                method: kind < 85 ? FUZZ_GET : kind < 92 ? FUZZ_HEAD : FUZZ_POST,
                authority: authority
            )
            let choice = random.below(100)
            let isGet = exchange.method == FUZZ_GET
            let job = Job(
                exchange: exchange,
                expected: Expectation(exchange, decodes: true, follows: true),
                reading: choice < 30 || !isGet
                    ? .handled
                    : choice < 55
                        ? .awaited : choice < 80 ? .task : choice < 95 ? .downloaded : .cancelled,
                patience: random.below(8)
            )
            guard await perform(job, report) else { break }
        }
        return Int(count)
    }

    /// Performs one exchange; returns whether its connection is fit for the next one.
    private func perform(_ job: Job, _ report: @escaping @Sendable (String) -> Void) async -> Bool {
        let start = fuzz_now()
        let report: @Sendable (String) -> Void = {
            report("exchange \(job.exchange.number), \(job.reading): \($0)")
        }
        let manager = job.expected.stalls ? impatient : manager
        var outcome = await outcome(of: job, with: manager, report)
        outcome.seconds = fuzz_now() - start
        outcome.isCancelled = outcome.isCancelled && job.reading == .cancelled
        let limit = (job.expected.stalls ? Self.limitOfStalled : Self.limit) + Self.slack
        // Without a handler a challenge becomes the response; with an unknown or missing scheme it
        // may fail.
        let isChallenge = job.expected.status == 401 || job.expected.status == 407
        let expected = isChallenge ? job.expected.allowingFailure : job.expected
        if let text = outcome.finding(job.exchange, expected, limit: limit) { report(text) }
        let settles = job.expected.settles
        return await control.settle(job.exchange, settles, isCancelled: outcome.isCancelled)
    }

    private func outcome(
        of job: Job,
        with manager: HTTPSessionManager,
        _ report: @escaping @Sendable (String) -> Void
    ) async -> Outcome {
        switch job.reading {
        case .awaited:
            do {
                return Outcome(try await manager.get(job.exchange.url), nil)
            } catch {
                return Outcome(error)
            }
        case .downloaded:
            return await download(job, with: manager)
        case .handled, .cancelled:
            return await handled(job, with: manager, report)
        case .task:
            let once = Once<Outcome>(report: report)
            guard let url = URL(string: job.exchange.url) else { return Outcome() }
            let task = manager.dataTask(
                with: URLRequest(url: url),
                completionHandler: { response, object, error in
                    once.fulfil(error.map { Outcome($0) } ?? Outcome(object, response))
                }
            )
            task.resume()
            return await once.value()
        }
    }

    private func handled(
        _ job: Job,
        with manager: HTTPSessionManager,
        _ report: @escaping @Sendable (String) -> Void
    ) async -> Outcome {
        let once = Once<Outcome>(report: report)
        let failure: HTTPSessionManager.FailureHandler = { _, error in once.fulfil(Outcome(error)) }
        let success: HTTPSessionManager.SuccessHandler = { task, object in
            once.fulfil(Outcome(object, task.response))
        }
        let task: URLSessionDataTask?
        switch job.exchange.method {
        case FUZZ_HEAD:
            task = manager.head(
                job.exchange.url,
                success: { once.fulfil(Outcome(nil, $0.response)) },
                failure: failure
            )
        case FUZZ_POST:
            task = manager.post(
                job.exchange.url,
                parameters: ["a": "b"],
                success: success,
                failure: failure
            )
        default:
            task = manager.get(job.exchange.url, success: success, failure: failure)
        }
        if job.reading == .cancelled {
            for _ in 0..<job.patience { await Task.yield() }
            task?.cancel()
        }
        return await once.value()
    }

    private func download(_ job: Job, with manager: HTTPSessionManager) async -> Outcome {
        let path = folder.path(for: job.exchange)
        do {
            let (file, response) = try await manager.download(
                job.exchange.url,
                options: [.removePreviousFile]
            ) { _, _ in URL(fileURLWithPath: path) }
            var outcome = Outcome(TemporaryFolder.takeFile(file.path).map { Data($0) }, response)
            if file.path != path {
                (outcome.isDefect, outcome.failure) = (true, "the file is at \(file.path)")
            }
            return outcome
        } catch {
            return Outcome(error)
        }
    }

    func end() async {
        manager.session.invalidateAndCancel()
        impatient.session.invalidateAndCancel()
        await control.end()
    }
}

extension Outcome {
    /// A success; some calls deliver no response.
    fileprivate init(_ object: (any Sendable)?, _ response: URLResponse?) {
        self.init()
        body = (object as? Data).map { Array($0) } ?? []
        guard let response = response as? HTTPURLResponse else { return }
        status = response.statusCode
        tag = response.value(forHTTPHeaderField: "X-Tag")
    }

    fileprivate init(_ error: any Error) {
        self.init()
        failure = String(describing: error)
        let code = (error as? URLError)?.code
        isDefect = code == .unknown
        isCancelled = code == .cancelled || error is CancellationError
    }
}
