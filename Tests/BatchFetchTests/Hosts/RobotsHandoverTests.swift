import Posix
import Testing

@testable import BatchFetch

/// The rules of `robots.txt` that pass from one process to another.
@Suite struct RobotsHandoverTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func file(_ text: String) -> RobotsFile {
        RobotsFile(Array(text.utf8), token: "batchfetch")
    }

    @Test(
        "The next process has the same rules and crawl delay",
        arguments: [
            "", "User-agent: *\nDisallow: /",
            "User-agent: *\nDisallow: /ä b\"\\?x=%2f%41$\nAllow: /*.c",
            "User-agent: *\nCrawl-delay: 1.5\nDisallow: /%%341",
            "User-agent: batchfetch\nAllow: +-",
            "User-agent: *\nCrawl-delay: 1e300\nDisallow: /\0",
        ]
    )
    func rulesAreUnchanged(text: String) throws {
        let file = file(text)
        let first = RobotsHandover(file, token: "batchfetch")
        #expect(first.lifetime == .seconds(24 * 3600))
        let stored = try #require(first.text)
        let next = try #require(RobotsHandover(text: stored, lifetime: .seconds(9)))
        #expect(next.file == file)
        #expect(next.crawlDelay == file.crawlDelay)
        #expect(next.token == "batchfetch")
        #expect(next.lifetime == .seconds(9))
    }

    @Test(
        "Damaged rules are no rules",
        arguments: [
            "", "{", "[]", "{\"rules\":[]}", "{\"rules\":[\"/x\"],\"token\":\"a\"}",
            "{\"rules\":[\"\"],\"token\":\"a\"}", "{\"rules\":[1],\"token\":\"a\"}",
        ]
    )
    func damagedRulesAreIgnored(text: String) {
        #expect(RobotsHandover(text: text, lifetime: .seconds(1)) == nil)
    }

    @Test("A crawl delay beyond a day is a day, and a negative one is none")
    func crawlDelayIsBounded() {
        let delays = ["-1", "1e9"].map { delay in
            RobotsHandover(
                text: "{\"crawlDelay\":\(delay),\"rules\":[],\"token\":\"a\"}",
                lifetime: .seconds(1)
            )?.crawlDelay
        }
        #expect(delays == [nil, .seconds(86_400)])
    }

    @Test("Too many rules aren't handed over")
    func longFileIsLeftOut() {
        func handover(_ length: Int) -> RobotsHandover {
            let path = String(repeating: "a", count: length)
            return RobotsHandover(
                file("User-agent: *\nDisallow: /\(path)"),
                token: "batchfetch"
            )
        }
        #expect(handover(60_000).text != nil)
        #expect(handover(66_000).text == nil)
    }

    /// What a run fetches first, with rules of another process that disallow `/x`.
    private func firstJob(
        _ url: String,
        token: String = "batchfetch",
        lifetime: Duration = .seconds(10),
        after delay: Duration = .zero
    ) throws -> (job: FetchJob?, result: BatchResult?) {
        var configuration = BatchConfiguration()
        configuration.politeness.obeysRobots = true
        var state = RunState(configuration)
        let file = file("User-agent: *\nDisallow: /x\nCrawl-delay: 7")
        let robots = RobotsHandover(file, token: token, lifetime: lifetime)
        state.restore(nil, robots: robots, host: "a:80", at: start)
        let now = start.advanced(by: delay)
        state.add(FetchJob(target: try FetchTarget(url), line: 1, waitingSince: now))
        let jobs = state.start(upTo: 2, at: now)
        if jobs.first?.isRobots == false {
            #expect(state.queues.minimumInterval(of: "a:80") == .seconds(7))
        }
        return (jobs.first, state.takeResults().first)
    }

    @Test("A run obeys the rules of another process, and fetches the file when they are too old")
    func rulesAreObeyed() throws {
        #expect(try firstJob("http://a/").job?.isRobots == false)
        let disallowed = try firstJob("http://a/x")
        #expect(disallowed.job == nil)
        #expect(disallowed.result?.failure?.code == .robots)
        let old = try firstJob("http://a/x", after: .seconds(10))
        #expect(old.job?.isRobots == true)
        let day: Duration = .seconds(24 * 3600)
        #expect(try firstJob("http://a/", lifetime: day * 9, after: day).job?.isRobots == true)
    }

    @Test("The rules for another product token are ignored")
    func otherTokenIsIgnored() throws {
        #expect(try firstJob("http://a/x", token: "example").job?.isRobots == true)
    }
}
