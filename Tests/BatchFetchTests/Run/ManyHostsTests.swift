import TestSupport
import Testing

@testable import BatchFetch

/// Runs of lists with very many hosts.
@Suite(.timeLimit(.minutes(10))) struct ManyHostsTests {
    /// Fetches the URLs one by one. Returns for each whether its connection was kept.
    private func keptConnections(
        _ urls: [String],
        obeyingRobots: Bool = false
    ) async throws -> [String: Bool] {
        let fetcher = ScriptedFetcher { _, _ in nil }
        var configuration = BatchConfiguration(concurrency: 1)
        configuration.politeness.obeysRobots = obeyingRobots
        let run = try Batch(configuration).start(.urls(urls), fetcher: fetcher)
        let results = Task { await run.reduce(into: 0) { count, _ in count += 1 } }
        try await Inspection.wait { run.progress.waiting + run.progress.inFlight >= urls.count }
        var kept: [String: Bool] = [:]
        for _ in 0..<(obeyingRobots ? 2 : 1) * urls.count {
            try await fetcher.pending(1)
            let attempt = try #require(fetcher.pending.first)
            kept[attempt.target.url] = attempt.keepsConnection
            fetcher.endOne(attempt.target.isRobots ? .status(404) : .success)
        }
        #expect(await results.value == urls.count)
        return kept
    }

    @Test("With one URL per host, connections aren't kept after the first hundreds")
    func connectionsOfManyHostsAreNotKept() async throws {
        let urls = (0..<600).map { "http://host-\($0)/" }
        let kept = try await keptConnections(urls)
        #expect(kept[urls[599]] == false)
        #expect(kept.values.count { $0 } <= 256)
    }

    @Test("With few hosts, connections are kept also after a host's last URL")
    func connectionsOfFewHostsAreKept() async throws {
        let urls = (0..<600).map { "http://host-\($0 % 30)/\($0)" }
        let kept = try await keptConnections(urls)
        #expect(kept.values.allSatisfy { $0 })
    }

    @Test("A host's connection is kept until its last queued URL")
    func connectionIsKeptForQueuedURLs() async throws {
        var urls = (0..<600).map { "http://host-\($0)/" }
        urls += (0..<3).map { "http://last/\($0)" }
        let kept = try await keptConnections(urls)
        #expect(kept["http://last/0"] == true)
        #expect(kept["http://last/1"] == true)
        #expect(kept["http://last/2"] == false)
    }

    @Test("The connection of a robots.txt is kept for the host's URL")
    func connectionOfRobotsIsKept() async throws {
        let urls = (0..<400).map { "http://host-\($0)/x" }
        let kept = try await keptConnections(urls, obeyingRobots: true)
        #expect(kept["http://host-399:80/robots.txt"] == true)
        #expect(kept["http://host-399/x"] == false)
    }
}
