import CurlTransport
import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Runs over the real transport, against a loopback server.
@Suite(.timeLimit(.minutes(10))) struct FetchingTests {
    private static let quickRetry = BatchRetryPolicy(limit: 2, baseDelay: .milliseconds(1))

    private func fetch(
        _ urls: [String],
        _ configuration: BatchConfiguration = BatchConfiguration()
    ) async throws -> [BatchResult] {
        var results: [BatchResult] = []
        for await result in try Batch(configuration).start(.urls(urls)) { results.append(result) }
        return results.sorted { $0.line < $1.line }
    }

    @Test("Hosts that are served in turn keep their connections")
    func hostsInTurnKeepConnections() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let hosts = (0..<100).map { "host-\($0).test" }
        var configuration = BatchConfiguration(concurrency: 8, concurrencyPerHost: 1)
        configuration.connection.addresses = hosts.map { "\($0):\(server.port):127.0.0.1" }
        let urls = (0..<400).map { "http://\(hosts[$0 % hosts.count]):\(server.port)/\($0)" }
        let results = try await fetch(urls, configuration)
        #expect(results.count { $0.isFetched } == urls.count)
        #expect(server.acceptedConnectionCount == hosts.count)
    }

    @Test func resultDescribesTheResponse() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let configuration = BatchConfiguration(output: .memory(limit: 100))
        let results = try await fetch(["\(server.url)/a", "\(server.url)/b"], configuration)
        for result in results {
            #expect(result.isFetched)
            #expect(result.status == 200)
            #expect(result.finalURL == result.url)
            #expect(result.bytes == 5)
            #expect(result.body == Array("hello".utf8))
            #expect(result.contentType == "text/plain")
            #expect(result.httpVersion == "1.1")
            #expect(result.timings.total ?? .zero > .zero)
            #expect(result.timings.queue != nil)
        }
    }

    @Test func transportErrorCodesAreInSnakeCase() {
        let names: [(TransportError.Code, String)] = [
            (.connectRefused, "connect_refused"), (.invalidURL, "invalid_url"),
            (.tlsHandshakeFailed, "tls_handshake_failed"), (.http2Connection, "http2_connection"),
            (.tooManyRedirects, "too_many_redirects"), (.cancelled, "cancelled"),
        ]
        for (code, name) in names { #expect(BatchFailure.Code(code).name == name) }
    }

    @Test func redirectsAreFollowedAndReported() async throws {
        let server = try LoopbackServer { request in
            request.target == "/from" ? .redirect(to: "/to?x=1") : .text("here")
        }
        let results = try await fetch(["\(server.url)/from"])
        #expect(results.first?.finalURL == "\(server.url)/to?x=1")
        #expect(results.first?.isFetched == true)
    }

    @Test func errorStatusFailsWithoutABody() async throws {
        let server = try LoopbackServer { _ in .text("no such thing", status: 404) }
        let folder = try TemporaryDirectory()
        let results = try await fetch(
            ["\(server.url)/a"],
            BatchConfiguration(output: .directory(folder.path))
        )
        #expect(results.first?.failure?.code == .status)
        #expect(results.first?.status == 404)
        #expect(results.first?.bytes == 13)
        #expect(results.first?.path == nil)
        #expect(try folder.contents().isEmpty)
    }

    @Test func busyServerIsRetried() async throws {
        let counter = Counter()
        let server = try LoopbackServer { _ in
            counter.increment()
            return counter.value < 3 ? .status(503) : .text("at last")
        }
        let results = try await fetch(
            ["\(server.url)/"],
            BatchConfiguration(retry: Self.quickRetry)
        )
        #expect(results.first?.isFetched == true)
        #expect(results.first?.attempts == 3)
    }

    @Test func refusedConnectionIsRetriedAndFails() async throws {
        let port = try LoopbackServer.unusedPort()
        let results = try await fetch(
            ["http://127.0.0.1:\(port)/"],
            BatchConfiguration(retry: Self.quickRetry)
        )
        #expect(results.first?.failure?.code == BatchFailure.Code("connect_refused"))
        #expect(results.first?.attempts == 3)
        #expect(results.first?.finalURL == nil)
    }

    @Test func slowAttemptTimesOut() async throws {
        let server = try LoopbackServer { _ in .text("late").after(Gate()) }
        let configuration = BatchConfiguration(timeout: .milliseconds(50), retry: .never)
        let results = try await fetch(["\(server.url)/"], configuration)
        #expect(results.first?.failure?.code == .timeout)
    }

    @Test func truncatedBodyLeavesNoFile() async throws {
        let server = try LoopbackServer { _ in
            .steps([.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")])
        }
        let folder = try TemporaryDirectory()
        let configuration = BatchConfiguration(
            retry: Self.quickRetry,
            output: .directory(folder.path)
        )
        let results = try await fetch(["\(server.url)/a/b"], configuration)
        #expect(results.first?.isFetched == false)
        #expect(results.first?.attempts == 3)
        #expect(results.first?.path == nil)
        let folders = try folder.contents()
        for name in folders { #expect(try files(in: folder.path(name)).isEmpty) }
    }

    @Test(
        "A body whose compressed data ends early fails and leaves no file",
        arguments: CompressedSample.all
    )
    func truncatedCompressedBodyLeavesNoFile(_ sample: CompressedSample) async throws {
        let server = try LoopbackServer { request in
            sample.reply(missing: request.target == "/cut" ? 4 : 0)
        }
        let folder = try TemporaryDirectory()
        let configuration = BatchConfiguration(retry: .never, output: .directory(folder.path))
        let results = try await fetch(["\(server.url)/cut", "\(server.url)/whole"], configuration)
        #expect(results.map(\.isFetched) == [false, true])
        #expect(results.first?.failure?.code == BatchFailure.Code("truncated_response"))
        #expect(results.first?.path == nil)
        let whole = try #require(results.last?.path)
        #expect(try folder.read(whole) == CompressedSample.text)
        #expect(try files(in: folder.path) == [whole])
    }

    /// The list is a pipe. It gets the second URL after the forged response has arrived.
    @Test(
        "A response forged behind another one isn't stored as the next URL's file",
        arguments: LoopbackServer.completeResponses.filter { $0.contains("hello") }
    )
    func forgedResponseIsNotStored(_ response: String) async throws {
        let gate = Gate()
        let server = try LoopbackServer.forging(behind: response, at: gate)
        let folder = try TemporaryDirectory()
        // On one event loop, the second request may use the connection of the first one.
        let configuration = BatchConfiguration(
            concurrency: 1,
            retry: .never,
            output: .directory(folder.path),
            eventLoopCount: 1
        )
        let list = Pipe()
        let number = list.fileHandleForReading.fileDescriptor
        let run = try Batch(configuration).start(.file("/proc/self/fd/\(number)"))
        var results = run.makeAsyncIterator()
        try list.fileHandleForWriting.write(contentsOf: Data("\(server.url)/first\n".utf8))
        let first = try #require(await results.next())
        gate.open()
        try await server.forgedResponseArrived(behind: response)
        try list.fileHandleForWriting.write(contentsOf: Data("\(server.url)/second\n".utf8))
        let second = try #require(await results.next())
        for (result, text) in [(first, "hello"), (second, "true")] {
            let path = try #require(result.path, "\(result)")
            #expect(try folder.read(path) == Array(text.utf8))
        }
        #expect(server.requests.map(\.connection) == [0, 1])
        try list.fileHandleForWriting.close()
        run.stop()
        let end = await results.next()
        #expect(end == nil)
    }

    @Test("A NUL in a header line of a response is the server's fault")
    func nulInAHeaderLineIsTheServersFault() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 2\r\n\r\nok"), .close,
        ])
        let results = try await fetch(["\(server.url)/"], BatchConfiguration(retry: .never))
        let failure = try #require(results.first?.failure)
        #expect(failure.code == BatchFailure.Code("invalid_response"))
        #expect(failure.message.hasPrefix("the server"), "\(failure)")
    }

    @Test("Hosts of more than 253 characters are refused, in the list and in a redirect")
    func longHostsAreRefused() async throws {
        let long = "http://\(String(repeating: "a", count: 254))/"
        let server = try LoopbackServer { _ in .redirect(to: long) }
        let results = try await fetch([long, "\(server.url)/"], BatchConfiguration(retry: .never))
        let codes = results.map { $0.failure?.code.name }
        #expect(codes == ["invalid_url", "invalid_response"])
        #expect(results.map(\.attempts) == [0, 1])
    }

    @Test func bodiesAreWrittenToFiles() async throws {
        let server = try LoopbackServer { request in
            let text = Array("\(request.target) ".utf8)
            return Reply(body: .repeating(text, times: request.target.count * 10_000))
        }
        let folder = try TemporaryDirectory()
        let paths = ["/", "/a", "/a/b", "/a/b/c", "/a/", "/q?x=1", "/q?x=2", "/q"]
        let results = try await fetch(
            paths.map { server.url + $0 },
            BatchConfiguration(output: .directory(folder.path))
        )
        #expect(results.allSatisfy { $0.isFetched }, "\(results.compactMap(\.failure))")
        #expect(Set(results.compactMap(\.path)).count == paths.count)
        for (path, result) in zip(paths, results) {
            let file = try #require(result.path)
            #expect(file.hasPrefix("127.0.0.1+\(server.port)/"))
            let bytes = try folder.read(file)
            let text = Array("\(path) ".utf8)
            #expect(bytes == Array(repeatElement(text, count: path.count * 10_000).joined()))
            #expect(result.bytes == bytes.count)
        }
    }

    @Test func bodyBeyondTheLimitFailsWithoutARetry() async throws {
        let server = try LoopbackServer { _ in
            Reply(body: .repeating([1, 2, 3, 4], times: 100_000))
        }
        let results = try await fetch(
            ["\(server.url)/"],
            BatchConfiguration(output: .memory(limit: 1000))
        )
        #expect(results.first?.failure?.code == .bodyTooLarge)
        #expect(results.first?.attempts == 1)
        #expect(results.first?.body == nil)
    }

    @Test func uncreatableFolderFailsTheStart() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("", to: "file")
        let failure = #expect(throws: BatchFailure.self) {
            try Batch(BatchConfiguration(output: .directory(file + "/below"))).start(.urls([]))
        }
        #expect(failure?.code == .output)
    }

    @Test func unwritableFileFails() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let folder = try TemporaryDirectory()
        // A file at the path of the host's folder: neither name is available.
        try folder.write("", to: "127.0.0.1+\(server.port)")
        let results = try await fetch(
            ["\(server.url)/a"],
            BatchConfiguration(output: .directory(folder.path))
        )
        #expect(results.first?.failure?.code == .output)
        #expect(results.first?.attempts == 1)
    }

    @Test func cancelEndsAttemptsAtOnce() async throws {
        let server = try LoopbackServer { _ in .text("never").after(Gate()) }
        let run = try Batch(BatchConfiguration(concurrency: 5)).start(
            .urls((0..<50).map { "\(server.url)/\($0)" })
        )
        try await server.requests(count: 5)
        run.cancel()
        var codes: [BatchFailure.Code?] = []
        for await result in run { codes.append(result.failure?.code) }
        #expect(codes == Array(repeating: .cancelled, count: 5))
    }

    private func files(in folder: String) throws -> [String] {
        try TemporaryDirectory.files(in: folder)
    }
}
