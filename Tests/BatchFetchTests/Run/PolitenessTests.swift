import CurlResilience
import TestSupport
import Testing

@testable import BatchFetch

/// How a run treats servers, as the servers see it.
@Suite(.timeLimit(.minutes(10))) struct PolitenessTests {
    private func fetch(
        _ urls: [String],
        _ configuration: BatchConfiguration
    ) async throws -> (results: [BatchResult], summary: BatchSummary) {
        let run = try Batch(configuration).start(.urls(urls))
        var results: [BatchResult] = []
        for await result in run { results.append(result) }
        return (results.sorted { $0.line < $1.line }, run.summary)
    }

    /// Runs URLs and ends one after the other. Expects that `most` of them are in flight at first,
    /// and never more.
    private func endOneByOne(
        _ urls: [String],
        _ configuration: BatchConfiguration,
        most: Int
    ) async throws -> ScriptedFetcher {
        let fetcher = ScriptedFetcher { _, _ in nil }
        let run = try Batch(configuration).start(.urls(urls), fetcher: fetcher)
        async let count = run.reduce(0) { sum, _ in sum + 1 }
        try await fetcher.pending(most)
        for _ in urls {
            try await fetcher.pending(1)
            fetcher.endOne()
        }
        #expect(await count == urls.count)
        #expect(fetcher.most == most)
        return fetcher
    }

    @Test func startsKeepTheDelayAndOtherHostsContinue() async throws {
        let slow = try LoopbackServer { _ in .text("x") }
        let quick = try LoopbackServer { _ in .text("x") }
        var configuration = BatchConfiguration()
        configuration.politeness.rules = [
            try HostRule(parsing: "127.0.0.1:\(slow.port): rate=20/s")
        ]
        let urls =
            (0..<10).map { "\(slow.url)/\($0)" } + (0..<100).map { "\(quick.url)/\($0)" }
        let clock = ContinuousClock()
        let start = clock.now
        let run = try Batch(configuration).start(.urls(urls))
        var slowDone = 0
        var quickDone = 0
        for await result in run {
            #expect(result.isFetched)
            if result.url.hasPrefix(slow.url) { slowDone += 1 } else { quickDone += 1 }
        }
        #expect(clock.now - start >= .milliseconds(450))
        #expect(quickDone == 100 && slowDone == 10)
    }

    @Test func urlsOfAPausedHostFailWithTheReason() async throws {
        let port = try LoopbackServer.unusedPort()
        var configuration = BatchConfiguration(concurrency: 1, concurrencyPerHost: 1)
        configuration.retry = BatchRetryPolicy(limit: 5, baseDelay: .milliseconds(1))
        configuration.politeness.breaker = BreakerPolicy(threshold: 3, rounds: 1)
        let urls = (0..<20).map { "http://127.0.0.1:\(port)/\($0)" }
        let results = try await fetch(urls, configuration).results
        for result in results {
            let failure = try #require(result.failure)
            #expect(failure.curlCode == 7 && failure.systemErrno == 111)
            #expect(failure.message.contains("refused"), "\(failure)")
            #expect(failure.message.contains("is paused after repeated failures"), "\(failure)")
            #expect(
                failure.code == (result.attempts > 0 ? .init("connect_refused") : .hostUnavailable)
            )
        }
        #expect(results.contains { $0.attempts > 0 } && results.contains { $0.attempts == 0 })
    }

    @Test func breakerOpensFor429WithoutRetryAfter() async throws {
        let server = try LoopbackServer { _ in .status(429) }
        var configuration = BatchConfiguration(concurrencyPerHost: 1, retry: .never)
        configuration.politeness.breaker = BreakerPolicy(threshold: 3, rounds: 1)
        let results = try await fetch((0..<20).map { "\(server.url)/\($0)" }, configuration).results
        #expect(server.requestCount == 3)
        #expect(results.count { $0.status == 429 } == 3)
        #expect(results.count { $0.failure?.code == .hostUnavailable } == 17)
    }

    @Test func retryAfterOfZeroSpendsTheRetryBudget() async throws {
        let server = try LoopbackServer { _ in .status(503).header("Retry-After", "0") }
        var configuration = BatchConfiguration()
        configuration.politeness.breaker = nil
        configuration.retry = BatchRetryPolicy(limit: 3, baseDelay: .milliseconds(1))
        configuration.retry.budgetReserve = 5
        configuration.retry.budgetShare = 0
        let summary = try await fetch((0..<20).map { "\(server.url)/\($0)" }, configuration).summary
        #expect(summary.progress.retries == 5)
        #expect(server.requestCount == 25)
    }

    @Test func hostRuleLimitsTheConcurrency() async throws {
        var configuration = BatchConfiguration(concurrency: 50, concurrencyPerHost: 5)
        configuration.politeness.rules = [try HostRule(parsing: "*.x.org: concurrency=2")]
        let urls = (0..<20).flatMap { ["http://a.x.org/\($0)", "http://y.org/\($0)"] }
        // The sum of both hosts' limits.
        let fetcher = try await endOneByOne(urls, configuration, most: 7)
        #expect(fetcher.most(of: "a.x.org:80") == 2)
        #expect(fetcher.most(of: "y.org:80") == 5)
    }

    @Test("Two names of one address share the limit per address")
    func namesOfOneAddressShareItsLimit() async throws {
        var configuration = BatchConfiguration()
        configuration.politeness.concurrencyPerAddress = 2
        let urls = (0..<6).flatMap { ["http://127.0.0.1/\($0)", "http://localhost/\($0)"] }
        _ = try await endOneByOne(urls, configuration, most: 2)
    }

    @Test("Two names with the same configured address share the limit per address")
    func configuredAddressesShareTheLimitPerAddress() async throws {
        var configuration = BatchConfiguration()
        configuration.politeness.concurrencyPerAddress = 2
        // The names can't be looked up, and the first has another address on another port.
        configuration.connection.addresses = [
            "a.test.example:80:192.0.2.1", "b.test.example:80:192.0.2.1",
            "a.test.example:81:192.0.2.9",
        ]
        let urls = (0..<6).flatMap { number in
            ["a.test.example", "b.test.example", "192.0.2.1", "a.test.example:81"].map {
                "http://\($0)/\(number)"
            }
        }
        let fetcher = try await endOneByOne(urls, configuration, most: 4)
        #expect(fetcher.most(of: "a.test.example:81") == 2)
    }

    @Test("The subdomains of a domain share the limit per domain, and those of others don't")
    func subdomainsShareTheLimitOfTheirDomain() async throws {
        var configuration = BatchConfiguration()
        configuration.politeness.concurrencyPerDomain = 3
        let hosts = ["a.example.org", "b.example.org", "a.example.com"]
        let urls = (0..<8).flatMap { number in hosts.map { "http://\($0)/\(number)" } }
        let fetcher = try await endOneByOne(urls, configuration, most: 6)
        #expect(fetcher.most(of: "a.example.com:80") == 3)
    }

    @Test func rateLimitAppliesToAllHosts() async throws {
        let fetcher = ScriptedFetcher { _, _ in .success }
        var configuration = BatchConfiguration()
        configuration.limits.rate = RequestRate(perSecond: 50)
        let start = ContinuousClock.now
        let run = try Batch(configuration).start(
            .urls((0..<20).map { "http://host\($0)/" }),
            fetcher: fetcher
        )
        #expect(await run.reduce(0) { sum, _ in sum + 1 } == 20)
        #expect(ContinuousClock.now - start >= .milliseconds(380))
    }

    @Test func userAgentAndFromAreSent() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        var configuration = BatchConfiguration()
        configuration.politeness.userAgent = "example/1.0 (+https://example.org/bot)"
        configuration.politeness.from = "bot@example.org"
        _ = try await fetch(["\(server.url)/"], configuration)
        let request = try await server.request(0)
        #expect(request.header("User-Agent") == "example/1.0 (+https://example.org/bot)")
        #expect(request.header("From") == "bot@example.org")
        configuration.politeness.from = "x\r\nY: z"
        #expect(throws: BatchFailure.self) { try Batch(configuration).start(.urls([])) }
    }

    @Test func robotsFileIsFetchedOnceAndObeyed() async throws {
        let server = try LoopbackServer { request in
            request.target == "/robots.txt"
                ? .text("User-agent: *\nDisallow: /\n\nUser-agent: Example\nDisallow: /private\n")
                : .text("x")
        }
        var configuration = BatchConfiguration()
        configuration.politeness.obeysRobots = true
        configuration.politeness.userAgent = "example/1.0"
        let paths = (0..<40).map { $0 % 2 == 0 ? "/\($0)" : "/private/\($0)" }
        let (results, summary) = try await fetch(paths.map { server.url + $0 }, configuration)
        #expect(results.map(\.isFetched) == (0..<40).map { $0 % 2 == 0 })
        #expect(results[1].failure?.code == .robots)
        #expect(results[1].attempts == 0)
        let targets = server.requests.map(\.target)
        #expect(targets.first == "/robots.txt")
        #expect(targets.count { $0 == "/robots.txt" } == 1)
        #expect(!targets.contains { $0.hasPrefix("/private") })
        #expect(targets.count == 21)
        #expect(summary.progress.done == 40)
    }

    @Test func hostWithoutARobotsFileAllowsAll() async throws {
        let server = try LoopbackServer { request in
            request.target == "/robots.txt" ? .status(404) : .text("x")
        }
        var configuration = BatchConfiguration()
        configuration.politeness.obeysRobots = true
        let (results, _) = try await fetch(["\(server.url)/a", "\(server.url)/b"], configuration)
        #expect(results.allSatisfy { $0.isFetched })
    }

    @Test func hostWithAnUnavailableRobotsFileIsSkipped() async throws {
        let server = try LoopbackServer { _ in .status(500) }
        var configuration = BatchConfiguration(
            retry: BatchRetryPolicy(limit: 2, baseDelay: .milliseconds(1))
        )
        configuration.politeness.obeysRobots = true
        let urls = (0..<10).map { "\(server.url)/\($0)" }
        let (results, _) = try await fetch(urls, configuration)
        #expect(results.allSatisfy { $0.failure?.code == .robots })
        #expect(server.requests.map(\.target) == ["/robots.txt", "/robots.txt", "/robots.txt"])
    }

    @Test func crawlDelayIsObeyedUpToTheMaximum() async throws {
        let server = try LoopbackServer { request in
            request.target == "/robots.txt"
                ? .text("User-agent: *\nCrawl-delay: 3600\n") : .text("x")
        }
        var configuration = BatchConfiguration()
        configuration.politeness.obeysRobots = true
        configuration.politeness.maximumCrawlDelay = .milliseconds(100)
        let start = ContinuousClock.now
        let (results, _) = try await fetch((0..<5).map { "\(server.url)/\($0)" }, configuration)
        #expect(results.allSatisfy { $0.isFetched })
        #expect(ContinuousClock.now - start >= .milliseconds(400))
    }

    @Test func endlessRobotsFileIsReadUpToTheLimit() async throws {
        let server = try LoopbackServer { request in
            request.target == "/robots.txt"
                ? Reply(body: .repeating(Array("Disallow: /\n".utf8), times: 100_000))
                : .text("x")
        }
        var configuration = BatchConfiguration()
        configuration.politeness.obeysRobots = true
        let (results, _) = try await fetch(["\(server.url)/a"], configuration)
        // Rules without a group apply to no client.
        #expect(results.allSatisfy { $0.isFetched })
    }

    /// A robots.txt has its own limit.
    @Test func bodyLimitDoesNotApplyToRobotsFiles() async throws {
        let server = try LoopbackServer { request in
            request.target == "/robots.txt"
                ? .text(
                    "User-agent: *\nDisallow: /private\n" + String(repeating: "#\n", count: 5000)
                ) : .text("x")
        }
        var configuration = BatchConfiguration()
        configuration.politeness.obeysRobots = true
        configuration.limits.maximumBodyBytes = 100
        let paths = ["/a", "/private"]
        let (results, _) = try await fetch(paths.map { server.url + $0 }, configuration)
        #expect(results.map(\.isFetched) == [true, false])
        #expect(results[1].failure?.message.contains("disallows it") == true)
    }

    @Test func failingHostIsGivenUpAndOthersContinue() async throws {
        let requested = Recorder()
        let fetcher = ScriptedFetcher { target, _ in
            guard target.host == "dead" else { return .success }
            requested.append(target.url)
            return .failing(
                .transport,
                .transfer(isTransient: true, mayHaveReachedServer: false)
            )
        }
        var configuration = BatchConfiguration(retry: .never)
        configuration.politeness.breaker = BreakerPolicy(
            threshold: 5,
            pause: .milliseconds(5),
            maximumPause: .seconds(600),
            rounds: 8
        )
        let urls = (0..<1000).flatMap { ["http://dead/\($0)", "http://alive/\($0)"] }
        let run = try Batch(configuration).start(.urls(urls), fetcher: fetcher)
        var codes: [String: Int] = [:]
        for await result in run { codes[result.failure?.code.name ?? "", default: 0] += 1 }
        #expect(codes[""] == 1000)
        #expect(codes["host_unavailable", default: 0] + codes["transport", default: 0] == 1000)
        // Attempts: five up to the threshold, those in flight with them, and one per round. The
        // number of rounds before the last URL is given up depends on how fast the list is read.
        #expect(codes["host_unavailable", default: 0] > 500)
        #expect(codes["transport"] == requested.values.count)
    }
}
