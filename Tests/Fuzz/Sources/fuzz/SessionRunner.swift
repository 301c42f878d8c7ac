internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import FuzzWire

/// Runs `URLSession` with a cache, cookies, credentials and redirects.
///
/// Tasks have completion handlers or delegates, or are async; downloads are resumed, tasks
/// cancelled, and sessions invalidated.
struct SessionRunner: CaseRunner {
    private static let limit = 20.0
    private static let limitOfStalled = 0.3
    private static let slack = 20.0

    private enum Reading: CaseIterable {
        case handled
        case delegated
        case awaited
        case streamed
        case downloaded
        case cancelled
    }

    private struct Job: Sendable {
        let exchange: Exchange
        let expected: Expectation
        let reading: Reading
        let follows: Bool
        let answer: TaskRecord.Answer
        let patience: UInt32

        /// An exchange that ends in a challenge may fail, whatever the answer is.
        var expectedByTask: Expectation {
            expected.status == 401 || expected.status == 407 ? expected.allowingFailure : expected
        }
    }

    private let session: URLSession
    private let control: Control
    private let port: UInt16

    init(port: UInt16) throws {
        session = URLSession(configuration: Self.configuration())
        control = try Control()
        self.port = port
    }

    private static func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = URLCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
        configuration.timeoutIntervalForRequest = limit
        configuration.timeoutIntervalForResource = limit
        return configuration
    }

    func run(_ seed: UInt64, report: @escaping @Sendable (String) -> Void) async -> Int {
        var random = CaseRandom(seed, salt: 0x5e55)
        if random.percent(10) { return await runResumed(seed, report) }
        // In one of a hundred cases the session ends with the case.
        let isOwn = random.percent(1)
        let session = isOwn ? URLSession(configuration: Self.configuration()) : session
        let count = 1 + random.below(5)
        let authority = Self.authority(seed, port: port)
        var isTogether = random.percent(15)
        var jobs: [Job] = []
        for number in 0..<count {
            // The cache may answer a repeated request.
            if number > 0, random.percent(10), let last = jobs.last {
                jobs.append(last)
                continue
            }
            let kind = random.below(100)
            let exchange = Exchange(
                seed: seed,
                number: number,
                method: kind < 88 ? FUZZ_GET : kind < 94 ? FUZZ_HEAD : FUZZ_POST,
                authority: authority
            )
            let follows = random.percent(90)
            let expected = Expectation(exchange, decodes: true, follows: follows)
            let choice = random.below(100)
            let reading: Reading =
                choice < 30
                ? .handled
                : choice < 60
                    ? .delegated
                    : choice < 75
                        ? .awaited
                        : choice < 85 ? .streamed : choice < 95 ? .downloaded : .cancelled
            let job = Job(
                exchange: exchange,
                expected: expected,
                reading: reading,
                follows: follows,
                answer: random.percent(70) ? .credential : random.percent(50) ? .refusal : .none,
                patience: random.below(8)
            )
            isTogether = isTogether && !expected.settles
            jobs.append(job)
        }
        if isTogether {
            await withDiscardingTaskGroup { group in
                for job in jobs { group.addTask { _ = await perform(job, in: session, report) } }
            }
        } else {
            for job in jobs where await !perform(job, in: session, report) { break }
        }
        if isOwn {
            random.percent(50) ? session.finishTasksAndInvalidate() : session.invalidateAndCancel()
        }
        return jobs.count
    }

    /// Performs one exchange; returns whether its connection is fit for the next one.
    private func perform(
        _ job: Job,
        in session: URLSession,
        _ report: @escaping @Sendable (String) -> Void
    ) async -> Bool {
        guard let url = URL(string: job.exchange.url) else { return true }
        var request = URLRequest(url: url)
        switch job.exchange.method {
        case FUZZ_HEAD: request.httpMethod = "HEAD"
        case FUZZ_POST:
            request.httpMethod = "POST"
            request.httpBody = Data("posted".utf8)
        default: break
        }
        if job.expected.stalls { request.timeoutInterval = Self.limitOfStalled }
        let start = fuzz_now()
        let record = TaskRecord(follows: job.follows, answer: job.answer) { text in
            report("exchange \(job.exchange.number), \(job.reading): \(text)")
        }
        let result = await send(request, job, record, in: session)
        var outcome = Outcome(result)
        outcome.seconds = fuzz_now() - start
        outcome.isCancelled = outcome.isCancelled && job.reading == .cancelled
        let limit = (job.expected.stalls ? Self.limitOfStalled : Self.limit) + Self.slack
        if let text = result.problem
            ?? outcome.finding(job.exchange, job.expectedByTask, limit: limit)
        {
            report("exchange \(job.exchange.number), \(job.reading): \(text)")
        }
        let settles = job.expected.settles
        return await control.settle(job.exchange, settles, isCancelled: outcome.isCancelled)
    }

    private func send(
        _ request: URLRequest,
        _ job: Job,
        _ record: TaskRecord,
        in session: URLSession
    ) async -> TaskRecord.Result {
        switch job.reading {
        case .handled:
            let task = session.dataTask(with: request) { record.complete($0, $1, $2) }
            return await record.result(of: task)
        case .delegated:
            return await record.result(of: session.dataTask(with: request))
        case .downloaded:
            guard job.patience < 4 else {
                return await record.result(of: session.downloadTask(with: request))
            }
            let task = session.downloadTask(with: request) { location, response, error in
                record.complete(location.flatMap { try? Data(contentsOf: $0) }, response, error)
            }
            return await record.result(of: task)
        case .awaited:
            do {
                let (data, response) = try await session.data(for: request, delegate: record)
                return TaskRecord.Result(data: data, response: response)
            } catch {
                return TaskRecord.Result(data: Data(), error: error)
            }
        case .streamed:
            do {
                let (bytes, response) = try await session.bytes(for: request, delegate: record)
                var data = Data()
                for try await byte in bytes { data.append(byte) }
                return TaskRecord.Result(data: data, response: response)
            } catch {
                return TaskRecord.Result(data: Data(), error: error)
            }
        case .cancelled:
            let task = session.dataTask(with: request)
            record.start(task)
            for _ in 0..<job.patience { await Task.yield() }
            task.cancel()
            return await record.result()
        }
    }

    /// Resumes a download until it is complete, or can't be resumed.
    private func runResumed(
        _ seed: UInt64,
        _ report: @escaping @Sendable (String) -> Void
    ) async -> Int {
        var exchange = Exchange(
            seed: seed,
            number: 0,
            method: FUZZ_GET,
            authority: Self.authority(seed, port: port)
        )
        exchange.kind = FUZZ_RANGED
        guard let url = URL(string: exchange.url) else { return 0 }
        var request = URLRequest(url: url)
        request.setValue("Bearer fuzz", forHTTPHeaderField: "Authorization")
        request.setValue("kept", forHTTPHeaderField: "X-Own")
        var task = session.downloadTask(with: request)
        var count = 0
        while count < 6 {
            count += 1
            let record = TaskRecord(follows: true, answer: .none) { report("resumed: \($0)") }
            let result = await record.result(of: task)
            if fuzz_is_verbose() {
                complain("  attempt \(count): \(result.response.map { "\($0)" } ?? "no response")")
                complain(
                    "  \(result.data.count) bytes, \(result.error.map { "\($0)" } ?? "no failure")"
                )
                complain("  entities of \(exchange.entities.map(\.count)) bytes")
            }
            if let error = result.error {
                guard let error = error as? URLError, let data = error.downloadTaskResumeData else {
                    break
                }
                task = session.downloadTask(withResumeData: data)
                continue
            }
            let status = (result.response as? HTTPURLResponse)?.statusCode ?? 0
            if status == 200 || status == 206, !exchange.entities.contains(Array(result.data)) {
                report(
                    "attempt \(count) of a resumed download: \(result.data.count) bytes, status \(status), are no version of the entity"
                )
            }
            break
        }
        return count
    }

    func end() async {
        session.invalidateAndCancel()
        await control.end()
    }
}

extension Outcome {
    fileprivate init(_ result: TaskRecord.Result) {
        self.init()
        body = Array(result.data)
        if let error = result.error {
            failure = String(describing: error)
            let code = (error as? URLError)?.code
            isDefect = code == nil || code == .unknown
            isCancelled = code == .cancelled
        }
        guard let response = result.response as? HTTPURLResponse else { return }
        status = response.statusCode
        tag = response.value(forHTTPHeaderField: "X-Tag")
    }
}
