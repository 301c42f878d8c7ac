import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// How long the `robots.txt` of a host is valid, and for which URLs.
@Suite struct RobotsCacheTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func later(_ seconds: Int64) -> MonotonicTime { start.advanced(by: .seconds(seconds)) }

    private func file(_ text: String) -> RobotsFile {
        RobotsFile(Array("User-agent: *\n\(text)\n".utf8), token: "batchfetch")
    }

    private func access(
        _ cache: RobotsCache,
        _ url: String,
        at now: MonotonicTime
    ) throws -> RobotsCache.Access {
        cache.access(for: try FetchTarget(url), at: now)
    }

    @Test func rulesDecideOnceTheFileIsKnown() throws {
        var cache = RobotsCache()
        #expect(try access(cache, "http://a.example/x", at: start) == .unknown)
        cache.learn(file("Disallow: /private"), of: "a.example:80", at: start)
        #expect(try access(cache, "http://a.example/x", at: start) == .allowed)
        #expect(
            try access(cache, "http://A.example/private/x", at: start)
                == .disallowed("robots.txt of a.example:80 disallows it")
        )
    }

    /// RFC 9309, 2.3: the file of one authority says nothing about another port.
    @Test func otherPortNeedsItsOwnFile() throws {
        var cache = RobotsCache()
        cache.learn(file("Disallow: /"), of: "a.example:80", at: start)
        #expect(try access(cache, "http://a.example:81/", at: start) == .unknown)
        #expect(try access(cache, "https://a.example/", at: start) == .unknown)
    }

    @Test func fileIsValidForADay() throws {
        var cache = RobotsCache()
        cache.learn(file("Crawl-delay: 7\nDisallow: /x"), of: "a:80", at: start)
        #expect(try access(cache, "http://a/", at: later(86_399)) == .allowed)
        #expect(cache.crawlDelay(of: "a:80", at: later(86_399)) == .seconds(7))
        #expect(try access(cache, "http://a/", at: later(86_400)) == .unknown)
        #expect(cache.crawlDelay(of: "a:80", at: later(86_400)) == nil)
    }

    @Test func unavailableFileForbidsEverythingForAMinute() throws {
        var cache = RobotsCache()
        cache.miss("the server answered 503", of: "a:80", at: start)
        #expect(
            try access(cache, "http://a/", at: later(59))
                == .disallowed("robots.txt of a:80 is unavailable: the server answered 503")
        )
        #expect(cache.crawlDelay(of: "a:80", at: start) == nil)
        #expect(try access(cache, "http://a/", at: later(60)) == .unknown)
    }

    @Test("A host whose address is refused fails all its URLs with that reason for a minute")
    func refusedHostFailsItsURLs() throws {
        var requests = RobotsRequests(obeysRobots: true)
        requests.refuse("its address is refused", of: "a:80", at: start)
        let access = requests.access(for: try FetchTarget("http://a/"), at: later(59))
        let failure = try #require(access.failure)
        #expect(failure.code == .addressRefused)
        let message = "robots.txt of a:80 can't be fetched: its address is refused"
        #expect(failure.message == message)
        #expect(requests.access(for: try FetchTarget("http://a/"), at: later(60)) == .unknown)
    }

    @Test func newerAnswerReplacesTheFile() throws {
        var cache = RobotsCache()
        cache.miss("no response", of: "a:80", at: start)
        cache.learn(file("Disallow: /x"), of: "a:80", at: later(10))
        #expect(try access(cache, "http://a/", at: later(10)) == .allowed)
        cache.miss("no response", of: "a:80", at: later(20))
        #expect(try access(cache, "http://a/", at: later(20)) != .allowed)
    }

    @Test func oldestFilesAreForgottenBeyondTheCapacity() throws {
        var cache = RobotsCache()
        for number in 0..<4096 { cache.learn(file(""), of: "h\(number):80", at: start) }
        // The same host again takes no other host's place.
        for _ in 0..<10 { cache.learn(file(""), of: "h4000:80", at: start) }
        #expect(try access(cache, "http://h0/", at: start) == .allowed)
        cache.learn(file(""), of: "new:80", at: start)
        #expect(try access(cache, "http://h0/", at: start) == .unknown)
        #expect(try access(cache, "http://h1/", at: start) == .allowed)
        #expect(try access(cache, "http://new/", at: start) == .allowed)
    }

    @Test func requestsWithoutRobotsAllowEverything() throws {
        var requests = RobotsRequests(obeysRobots: false)
        let target = try FetchTarget("http://a/x")
        requests.learn(file("Disallow: /"), of: "a:80", at: start)
        #expect(requests.access(for: target, at: start) == .allowed)
        var obeying = RobotsRequests(obeysRobots: true)
        #expect(obeying.access(for: target, at: start) == .unknown)
        obeying.learn(file("Disallow: /"), of: "a:80", at: start)
        #expect(obeying.access(for: target, at: start) != .allowed)
    }

    /// RFC 9309, 2.3.1: what the answer to the request for the file means.
    @Test(
        arguments: [
            (404, true), (401, true), (403, true), (301, true), (429, false), (500, false),
            (503, false), (nil, false),
        ] as [(Int?, Bool)]
    )
    func statusDecidesWhetherAMissingFileAllowsAll(status: Int?, isAllowed: Bool) {
        var outcome = status.map { AttemptOutcome.status($0) } ?? AttemptOutcome()
        outcome.end = .memory(Array("User-agent: *\nDisallow: /\n".utf8))
        switch RobotsAnswer(outcome, token: "batchfetch") {
        case .file(let file): #expect(isAllowed && file.allows("/"))
        case .unavailable(let reason):
            #expect(!isAllowed)
            #expect(reason == (status.map { "the server answered \($0)" } ?? "no response"))
        case .refused(let reason):
            Issue.record("refused: \(reason)")
        }
    }
}
