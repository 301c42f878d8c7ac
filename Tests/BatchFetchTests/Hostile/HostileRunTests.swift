import HTTPSemantics
import TestSupport
import Testing

@testable import BatchFetch

/// A run over servers that refuse, stall, break off, lie and redirect.
///
/// The servers record how they are treated.
@Suite(.timeLimit(.minutes(10))) struct HostileRunTests {
    private static let seed: UInt64 = 20

    @Test func hostileServersSeeTheLimitsAndValidURLsSucceed() async throws {
        var generator = SeededGenerator(seed: Self.seed)
        var hosts: [HostileHost] = []
        for (number, limit) in [1, 1, 2, 3, 4, 6].enumerated() {
            hosts.append(try HostileHost(number: number, limit: limit, using: &generator))
        }
        for (host, next) in zip(hosts, hosts[1...] + hosts[..<1]) { host.neighbour(next) }
        let folder = try TemporaryDirectory()
        var expected: [String: HostileURL] = [:]
        for host in hosts { for url in host.urls { expected[host.server.url + url.path] = url } }
        let urls = expected.keys.sorted().shuffled(using: &generator)
        let requests = try urls.map { try request($0, expected[$0]) }

        let run = try Batch(try configuration(hosts, folder)).start(.requests(requests))
        var results: [BatchResult] = []
        for await result in run { results.append(result) }

        show(run.summary, hosts)
        #expect(results.map(\.url).sorted() == urls.sorted())
        #expect(Set(results.map(\.line)) == Set(1...urls.count))
        for result in results { try expect(result, expected[result.url], folder) }
        let fetched = results.count { $0.isFetched }
        #expect(try TemporaryDirectory.files(in: folder.path).count == fetched)
        expect(run.summary, of: Array(expected.values), fetched: fetched)
        for host in hosts {
            #expect(host.ledger.objections.isEmpty, "\(host.rule)")
            // The limit holds under enough requests to exceed it.
            #expect(host.ledger.most == host.ledger.limit, "\(host.rule)")
            // One pause may be lost on a client that doesn't read the response.
            #expect(host.ledger.pauseCount >= 3)
        }
    }

    private func request(_ url: String, _ expected: HostileURL?) throws -> BatchRequest {
        var request = BatchRequest(url: url)
        let digest = MessageDigest.of(expected?.body ?? [], .sha256)
        let text = Hexadecimal.text(digest)
        request.digests = [try #require(ExpectedDigest(.sha256, hexadecimal: text))]
        return request
    }

    private func configuration(
        _ hosts: [HostileHost],
        _ folder: TemporaryDirectory
    ) throws -> BatchConfiguration {
        var configuration = BatchConfiguration(concurrency: 40, output: .directory(folder.path))
        configuration.politeness.rules = try hosts.map { try HostRule(parsing: $0.rule) }
        configuration.politeness.breaker = BreakerPolicy(
            threshold: 5,
            pause: .milliseconds(50),
            maximumPause: .milliseconds(200),
            rounds: 1000
        )
        // Under a sanitizer a good answer takes a second; each stalled answer takes the whole
        // limit.
        let limit = Duration.seconds(Rounds.count(2, few: 20))
        configuration.timeouts.firstByte = limit
        configuration.timeouts.stall = limit
        // More than the faults of any URL: on a busy machine a good answer may time out too.
        var retry = BatchRetryPolicy(
            limit: 10,
            baseDelay: .milliseconds(10),
            maximumDelay: .milliseconds(200)
        )
        retry.budgetShare = 10
        configuration.retry = retry
        return configuration
    }

    private func expect(
        _ result: BatchResult,
        _ url: HostileURL?,
        _ folder: TemporaryDirectory
    ) throws {
        let url = try #require(url)
        switch url.ending {
        case .good:
            #expect(result.isFetched, "\(url): \(result)")
            #expect(result.attempts > url.failures, "\(url): \(result)")
            let path = try #require(result.path)
            #expect(try folder.read(path) == url.body, "\(url): \(result)")
        case .gone:
            #expect(result.status == 404 && result.failure?.code == .status, "\(result)")
        case .failing:
            #expect(result.status == 500 && result.attempts == 11, "\(result)")
        case .damaged:
            // At least one retry; more after answers that timed out.
            #expect(result.failure?.code == .verification && result.attempts >= 2, "\(result)")
        case .loop:
            #expect(result.failure?.code == .tooManyRedirects, "\(result)")
        }
    }

    private func expect(_ summary: BatchSummary, of urls: [HostileURL], fetched: Int) {
        let bad = urls.filter { $0.ending != .good }
        #expect(fetched == urls.count - bad.count)
        #expect(summary.progress.fetched == fetched)
        #expect(summary.progress.failed == bad.count)
        #expect(summary.progress.inFlight == 0 && summary.progress.waiting == 0)
        #expect(summary.latency.count == fetched)
        #expect(summary.progress.retries >= urls.reduce(0) { $0 + $1.failures })
        let kinds: [(String, HostileURL.Ending)] = [
            ("status 404", .gone), ("status 500", .failing), ("verification", .damaged),
            ("too_many_redirects", .loop),
        ]
        for (name, ending) in kinds {
            let count = summary.topFailures.first { $0.name == name }?.count
            #expect(count == urls.count { $0.ending == ending }, "\(name)")
        }
    }

    private func show(_ summary: BatchSummary, _ hosts: [HostileHost]) {
        let progress = summary.progress
        print(
            "hostile run: \(progress.fetched) fetched, \(progress.failed) failed,",
            "\(progress.retries) retries, \(progress.bytes) bytes in \(progress.elapsed)"
        )
        for failure in summary.topFailures {
            print("hostile run: \(failure.count) \(failure.name), first on \(failure.example)")
        }
        for host in hosts {
            let ledger = host.ledger
            print(
                "hostile run: at most \(ledger.most) of \(ledger.limit) in flight,",
                "\(ledger.requestCount) requests, \(ledger.pauseCount) pauses,",
                "\(ledger.latecomers) on their way when one began"
            )
        }
    }
}
