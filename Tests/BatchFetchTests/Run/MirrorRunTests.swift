import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BatchFetch

/// Fetches lines with several URLs.
@Suite(.timeLimit(.minutes(10))) struct MirrorRunTests {
    private func request(_ urls: [String]) -> BatchRequest {
        var request = BatchRequest(url: urls[0])
        request.mirrors = Array(urls.dropFirst())
        return request
    }

    private func fetch(
        _ requests: [BatchRequest],
        _ configuration: BatchConfiguration = BatchConfiguration(retry: .never)
    ) async throws -> [BatchResult] {
        let run = try Batch(configuration).start(.requests(requests))
        return await run.reduce(into: []) { $0.append($1) }
    }

    @Test("A mirror is used after a permanent status, and the result names it")
    func mirrorFollowsAPermanentStatus() async throws {
        let first = try LoopbackServer { _ in .status(404) }
        let second = try LoopbackServer { _ in .text("body") }
        let folder = try TemporaryDirectory()
        var configuration = BatchConfiguration(output: .directory(folder.path("out")))
        configuration.retry = .never
        let results = try await fetch(
            [request(["\(first.url)/a", "\(second.url)/b"])],
            configuration
        )
        let result = try #require(results.first)
        #expect(results.count == 1 && result.isFetched, "\(results)")
        #expect(result.url == "\(first.url)/a" && result.mirror == "\(second.url)/b")
        #expect(result.finalURL == "\(second.url)/b" && result.attempts == 2)
        #expect(result.path?.hasSuffix("/a") == true, "the file is named after the first URL")
        var line: [UInt8] = []
        result.appendJSONLine(to: &line)
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.contains("\"mirror\":\"\(second.url)/b\""), "\(text)")
    }

    @Test("A mirror is used when the retries are used up, and has its own retries")
    func mirrorFollowsExhaustedRetries() async throws {
        let first = try LoopbackServer { _ in .status(503) }
        let answers = Watched(0)
        let second = try LoopbackServer { _ in
            answers.update { count in
                count += 1
                return count
            } == 1 ? .status(503) : .text("body")
        }
        let retry = BatchRetryPolicy(limit: 1, baseDelay: .milliseconds(1))
        let results = try await fetch(
            [request(["\(first.url)/", "\(second.url)/"])],
            BatchConfiguration(retry: retry)
        )
        #expect(results.first?.isFetched == true && results.first?.attempts == 4, "\(results)")
        #expect(first.requestCount == 2 && second.requestCount == 2)
    }

    @Test("A mirror is used after a wrong checksum and after an unreachable host")
    func mirrorFollowsAWrongChecksum() async throws {
        let wrong = try LoopbackServer { _ in .text("wrong") }
        let right = try LoopbackServer { _ in .text("hi") }
        var request = request([
            "http://127.0.0.1:\(try LoopbackServer.unusedPort())/", "\(wrong.url)/",
            "\(right.url)/",
        ])
        let md5 = "49f68a5c8493ec2c0bf489821c21fc3b"
        request.digests = [try #require(ExpectedDigest(.md5, hexadecimal: md5))]
        let results = try await fetch([request])
        #expect(results.first?.isFetched == true, "\(results)")
        #expect(results.first?.mirror == "\(right.url)/" && results.first?.attempts == 3)
    }

    @Test("If all URLs of a line fail, the result has the last failure and names the first")
    func allURLsFail() async throws {
        let server = try LoopbackServer { .status($0.target == "/1" ? 404 : 410) }
        let results = try await fetch([request(["\(server.url)/1", "\(server.url)/2"])])
        let failure = try #require(results.first?.failure)
        #expect(results.count == 1 && failure.code == .status)
        #expect(results.first?.status == 410 && results.first?.mirror == "\(server.url)/2")
        #expect(failure.message.contains("410") && failure.message.contains("404"), "\(failure)")
    }

    @Test("Credentials of the line are sent to its first URL's host only")
    func credentialsAreNotSentToMirrors() async throws {
        let first = try LoopbackServer { _ in .status(404) }
        let second = try LoopbackServer { _ in .text("body") }
        var request = request(["\(first.url)/", "\(second.url)/"])
        request.headerFields = [.authorization: "Bearer secret", .accept: "text/plain"]
        #expect(try await fetch([request]).first?.isFetched == true)
        #expect(first.requests.first?.header("authorization") == "Bearer secret")
        #expect(second.requests.first?.header("authorization") == nil)
        #expect(second.requests.first?.header("accept") == "text/plain")
        request.sharesCredentials = true
        #expect(try await fetch([request]).first?.isFetched == true)
        #expect(second.requests.last?.header("authorization") == "Bearer secret")
    }

    @Test("Mirrors obey the limits of their own host")
    func mirrorsObeyTheirHostsLimits() async throws {
        let fetcher = ScriptedFetcher { target, _ in
            target.host == "first" ? .status(404) : nil
        }
        var configuration = BatchConfiguration(concurrency: 50, concurrencyPerHost: 20)
        configuration.retry = .never
        configuration.politeness.rules = [try HostRule(parsing: "mirror: concurrency=2")]
        let requests = (0..<40).map { request(["http://first/\($0)", "http://mirror/\($0)"]) }
        let run = try Batch(configuration).start(.requests(requests), fetcher: fetcher)
        async let results = run.reduce(into: []) { $0.append($1) }
        for left in (1...40).reversed() {
            try await fetcher.pending(min(2, left))
            fetcher.endOne()
        }
        #expect(await results.count == 40)
        #expect(await results.allSatisfy { $0.isFetched && $0.attempts == 2 })
        #expect(fetcher.most(of: "mirror:80") == 2)
        #expect(run.progress.retries == 0)
    }

    @Test("A run that ends starts no mirror, and leaves the line for a resumed run")
    func endingRunStartsNoMirror() async throws {
        let fetcher = ScriptedFetcher { _, _ in nil }
        let run = try Batch(BatchConfiguration(retry: .never)).start(
            .requests([request(["http://a/", "http://b/"])]),
            fetcher: fetcher
        )
        async let results = run.reduce(into: []) { $0.append($1) }
        try await fetcher.pending(1)
        run.stop()
        fetcher.endOne(.status(404))
        let result = try #require(await results.first)
        #expect(result.mirror == nil && result.attempts == 1)
        #expect(result.failure?.leavesUnresolved == true, "\(String(describing: result.failure))")
    }

    @Test("A line with content, with too many URLs, or with a wrong one fails before it is sent")
    func unusableMirrorsFailTheLine() async throws {
        var post = request(["http://a/", "http://b/"])
        post.method = .post
        let many = request((0...64).map { "http://h\($0)/" })
        let malformed = request(["http://a/", "ftp://b/"])
        let results = try await fetch([post, many, malformed]).sorted { $0.line < $1.line }
        #expect(results.map(\.failure?.code) == [.invalidLine, .invalidLine, .invalidURL])
        #expect(results[0].failure?.message.contains("only GET and HEAD") == true)
        #expect(results[1].failure?.message.contains("65 URLs: use at most 64") == true)
        #expect(results.allSatisfy { $0.attempts == 0 })
    }
}
