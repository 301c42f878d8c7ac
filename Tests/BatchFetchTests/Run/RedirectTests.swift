import CurlTransport
import HTTPTypes
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Redirect targets obey the same limits as other URLs of their host.
@Suite(.timeLimit(.minutes(10))) struct RedirectTests {
    private func fetch(
        _ requests: [BatchRequest],
        _ configuration: BatchConfiguration = BatchConfiguration()
    ) async throws -> [BatchResult] {
        var results: [BatchResult] = []
        for await result in try Batch(configuration).start(.requests(requests)) {
            results.append(result)
        }
        return results.sorted { $0.line < $1.line }
    }

    private func redirecting(_ target: FetchTarget, to location: String) throws -> AttemptOutcome {
        let request = try HTTPRequest(url: target.url)
        let outcome = RedirectRule.decide(
            statusCode: 302,
            location: Array(location.utf8),
            request: request,
            count: 0,
            policy: .follow()
        )
        guard case .follow(let redirect) = outcome else { return .success }
        return AttemptOutcome(status: 302, redirect: redirect)
    }

    @Test func redirectsObeyTheLimitsOfTheTargetHost() async throws {
        let fetcher = ScriptedFetcher { [self] target, _ in
            target.host == "from" ? try? redirecting(target, to: "http://to\(target.rest)") : nil
        }
        var configuration = BatchConfiguration(concurrency: 50, concurrencyPerHost: 20)
        configuration.politeness.rules = [try HostRule(parsing: "to: concurrency=2")]
        let run = try Batch(configuration).start(
            .urls((0..<40).map { "http://from/\($0)" }),
            fetcher: fetcher
        )
        async let results = run.reduce(into: []) { $0.append($1) }
        for left in (1...40).reversed() {
            try await fetcher.pending(min(2, left))
            fetcher.endOne()
        }
        #expect(await results.count == 40)
        #expect(await results.allSatisfy { $0.isFetched && $0.attempts == 1 })
        #expect(fetcher.most(of: "to:80") == 2)
        #expect(run.progress.retries == 0 && run.progress.waiting == 0)
    }

    @Test(arguments: [nil, 2.0])
    func redirectsShareTheTimeoutOfOneAttempt(own: Double?) throws {
        var request = BatchRequest(url: "http://a/1")
        request.timeout = own.map { .seconds($0) }
        var job = FetchJob(
            target: try FetchTarget(request),
            line: 1,
            waitingSince: MonotonicTime(nanoseconds: 0)
        )
        for left in [1.25, 0.5] {
            var outcome = try redirecting(job.place, to: "/next")
            outcome.timings.total = .milliseconds(750)
            let redirect = try #require(outcome.redirect)
            job = try job.following(redirect, outcome, queued: .zero, timeout: .seconds(own ?? 2))
            #expect(job.place.details?.request.timeout == .seconds(left))
        }
        // A repeated request gets the whole timeout of an attempt again.
        let again = job.repeated(always: false)
        #expect(again.redirects == nil)
        request.method = .post
        var post = FetchJob(
            target: try FetchTarget(request),
            line: 1,
            waitingSince: MonotonicTime(nanoseconds: 0)
        )
        post.redirects = job.redirects
        let repeated = post.repeated(always: false)
        #expect(repeated.place.url == job.place.url && repeated.redirects?.spent == .zero)
        #expect(repeated.place.details?.request.timeout == own.map { .seconds($0) })
        var outcome = try redirecting(job.place, to: "/next")
        outcome.timings.total = .milliseconds(750)
        let redirect = try #require(outcome.redirect)
        let failure = #expect(throws: BatchFailure.self) {
            _ = try job.following(redirect, outcome, queued: .zero, timeout: .seconds(2))
        }
        #expect(failure?.code == .timeout)
    }

    @Test func redirectsObeyTheRobotsFileOfTheTarget() async throws {
        let to = try LoopbackServer { request in
            request.target == "/robots.txt"
                ? .text("User-agent: *\nDisallow: /private\n") : .text("x")
        }
        let from = try LoopbackServer { request in
            switch request.target {
            case "/robots.txt": .text("User-agent: *\nDisallow: /own\n")
            case "/same": .redirect(to: "/own/secret")
            default: .redirect(to: to.url + request.target)
            }
        }
        var configuration = BatchConfiguration()
        configuration.politeness.obeysRobots = true
        let results = try await fetch(
            ["/private/a", "/public", "/same"].map { BatchRequest(url: from.url + $0) },
            configuration
        )
        #expect(results.map { $0.failure?.code } == [.robots, nil, .robots])
        #expect(results[1].finalURL == to.url + "/public")
        #expect(Set(to.requests.map(\.target)) == ["/robots.txt", "/public"])
        #expect(!from.requests.contains { $0.target.hasPrefix("/own") })
    }

    @Test func tooManyRedirectsFail() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/again") }
        let results = try await fetch([BatchRequest(url: server.url + "/")])
        #expect(results.first?.failure?.code == .tooManyRedirects)
        #expect(results.first?.attempts == 1)
        #expect(server.requestCount == 21)
    }

    @Test("Another origin gets only fields that are known to be harmless")
    func credentialsAreNotSentToAnotherOrigin() async throws {
        let secret = [
            "Authorization", "X-API-Key", "Cookie", "X-Auth", "X-Passwd", "X-Sid", "X-CSRF",
            "X-Plain",
        ]
        let harmless = ["Accept", "Accept-Language", "User-Agent", "If-None-Match"]
        let to = try LoopbackServer { _ in .text("x") }
        let from = try LoopbackServer { request in
            request.target == "/out"
                ? .redirect(307, to: to.url + "/in")
                : request.target == "/in" ? .text("x") : .redirect(to: "/in")
        }
        var requests = [BatchRequest(url: from.url + "/out"), BatchRequest(url: from.url + "/own")]
        for index in requests.indices {
            for name in secret + harmless {
                let field = try #require(HTTPField.Name(name))
                requests[index].headerFields[field] = "value"
            }
        }
        let results = try await fetch(requests)
        #expect(results.allSatisfy { $0.isFetched })
        let other = try await to.request(0)
        for name in harmless { #expect(other.header(name) == "value", "\(name)") }
        for name in secret {
            #expect(other.header(name) == nil)
            let own = from.requests.filter { $0.target == "/in" }
            #expect(own.map { $0.header(name) } == ["value"])
        }
    }

    @Test func redirectStatusDecidesMethodAndContent() async throws {
        let server = try LoopbackServer { request in
            switch request.target {
            case "/see": .redirect(303, to: "/end")
            case "/keep": .redirect(308, to: "/end")
            default: .text("x")
            }
        }
        let requests = ["/see", "/keep"].map { path in
            var request = BatchRequest(url: server.url + path)
            request.method = .post
            request.body = .bytes(Array("content".utf8))
            return request
        }
        #expect(try await fetch(requests).allSatisfy { $0.isFetched })
        let ends = server.requests.filter { $0.target == "/end" }
        #expect(Set(ends.map(\.method)) == ["GET", "POST"])
        for end in ends {
            #expect(end.body == (end.method == "GET" ? [] : Array("content".utf8)))
        }
    }

    @Test func redirectedBodyIsNamedAfterTheListedURL() async throws {
        let server = try LoopbackServer { request in
            request.target == "/from.txt"
                ? Reply(
                    302,
                    headers: [("Location", "/to.txt")],
                    body: .repeating(Array("long".utf8), times: 100_000)
                )
                : .text("here").after(.milliseconds(30))
        }
        let folder = try TemporaryDirectory()
        let results = try await fetch(
            [BatchRequest(url: server.url + "/from.txt")],
            BatchConfiguration(output: .directory(folder.path))
        )
        let result = try #require(results.first)
        #expect(result.path?.hasSuffix("/from.txt") == true)
        #expect(result.finalURL == server.url + "/to.txt")
        #expect(result.status == 200 && result.bytes == 4)
        #expect(result.timings.total ?? .zero >= .milliseconds(30))
    }

    @Test func retryRestartsAtTheListedURL() async throws {
        let counter = Counter()
        let server = try LoopbackServer { request in
            if request.target == "/from" { return .redirect(to: "/to") }
            counter.increment()
            return counter.value == 1 ? .status(503) : .text("x")
        }
        let results = try await fetch(
            [BatchRequest(url: server.url + "/from")],
            BatchConfiguration(retry: BatchRetryPolicy(limit: 2, baseDelay: .milliseconds(1)))
        )
        #expect(results.first?.isFetched == true && results.first?.attempts == 2)
        #expect(server.requests.map(\.target) == ["/from", "/to", "/from", "/to"])
    }
}
