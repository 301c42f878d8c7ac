import CurlResilience
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import BatchFetch

/// Which requests are sent again, and which aren't because the server may have acted.
@Suite(.timeLimit(.minutes(10))) struct RequestRetryTests {
    private func attempts(
        _ line: String,
        cause: RetryCause,
        repeatsUnsafe: Bool = false
    ) async throws -> Int? {
        let folder = try TemporaryDirectory()
        let list = try folder.write(line, to: "list.jsonl")
        var policy = BatchRetryPolicy(limit: 1, baseDelay: .milliseconds(1))
        policy.repeatsUnsafeRequests = repeatsUnsafe
        let fetcher = ScriptedFetcher { _, _ in .failing(.transport, cause) }
        var input = BatchInput.file(list)
        input.options.format = .jsonLines
        let run = try Batch(BatchConfiguration(retry: policy)).start(input, fetcher: fetcher)
        return await run.reduce(nil) { $1.attempts }
    }

    /// The server closes the idle connection of the first URL at the second request.
    @Test(arguments: [("GET", 2), ("PUT", 2), ("POST", 1)])
    func unansweredRequestOnAReusedConnectionIsResentOnce(
        method: String,
        count: Int
    ) async throws {
        let server = try LoopbackServer.scripted { connection in
            let answer = Step.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            return connection == 0
                ? [.readHead, answer, .readHead, .close] : [.readHead, answer, .close]
        }
        let folder = try TemporaryDirectory()
        let lines = [
            "{\"url\":\"\(server.url)/1\"}\n",
            "{\"url\":\"\(server.url)/2\",\"method\":\"\(method)\"}\n",
        ]
        var input = BatchInput.file(try folder.write(lines.joined(), to: "list.jsonl"))
        input.options.format = .jsonLines
        let run = try Batch(BatchConfiguration(concurrency: 1, retry: .never)).start(input)
        let results = await run.reduce(into: []) { $0.append($1) }
        #expect(results.map(\.isFetched) == [true, count == 2], "\(results)")
        #expect(results.map(\.attempts) == [1, 1])
        #expect(results.last?.failure?.code == (count == 2 ? nil : .unanswered))
        #expect(server.requests.count { $0.target == "/2" } == count)
    }

    private static let post = #"{"url":"http://a/","method":"POST","body":"x"}"#
    private static let marked =
        #"{"url":"http://a/","method":"POST","headers":{"Idempotency-Key":"1"}}"#
    private static let lost = RetryCause.transfer(isTransient: true, mayHaveReachedServer: true)
    private static let unsent = RetryCause.transfer(isTransient: true, mayHaveReachedServer: false)

    @Test func postIsRetriedOnlyIfItWasNotProcessed() async throws {
        #expect(try await attempts(Self.post, cause: Self.lost) == 1)
        #expect(try await attempts(Self.post, cause: Self.unsent) == 2)
        #expect(try await attempts(Self.post, cause: .status(429)) == 2)
        #expect(try await attempts(Self.post, cause: .status(503)) == 1)
    }

    @Test func retryUnsafeAndIdempotencyKeyAllowPostRetries() async throws {
        #expect(try await attempts(Self.post, cause: Self.lost, repeatsUnsafe: true) == 2)
        #expect(try await attempts(Self.marked, cause: Self.lost) == 2)
    }

    @Test(arguments: [false, true])
    func retryAfterARedirectedPostDoesNotRepeatThePost(repeatsUnsafe: Bool) async throws {
        let failed = Mutex(false)
        let server = try LoopbackServer { request in
            if request.method == "POST" { return .redirect(303, to: "/done") }
            let isFirst = !failed.withLock { exchange(&$0, with: true) }
            return isFirst ? .status(503) : .text("done")
        }
        var configuration = BatchConfiguration()
        configuration.retry = BatchRetryPolicy(limit: 1, baseDelay: .milliseconds(1))
        configuration.retry.repeatsUnsafeRequests = repeatsUnsafe
        var request = BatchRequest(url: server.url + "/form")
        request.method = .post
        request.body = .bytes([0x78])
        let run = try Batch(configuration).start(.requests([request]))
        let results = await run.reduce(into: []) { $0.append($1) }
        #expect(results.first?.isFetched == true && results.first?.attempts == 2)
        let requested = server.requests.map { "\($0.method) \($0.target)" }
        let again = repeatsUnsafe ? ["POST /form", "GET /done"] : ["GET /done"]
        #expect(requested == ["POST /form", "GET /done"] + again)
    }
}
