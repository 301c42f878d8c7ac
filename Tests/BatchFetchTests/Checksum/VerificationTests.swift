import HTTPSemantics
import TestSupport
import Testing

@testable import BatchFetch

/// Bodies that match their expected digests, and bodies that don't.
@Suite(.timeLimit(.minutes(10))) struct VerificationTests {
    private static let quickRetry = BatchRetryPolicy(limit: 5, baseDelay: .milliseconds(1))

    private func fetch(
        _ request: BatchRequest,
        _ output: BatchOutput = .discard,
        digests: Set<DigestAlgorithm> = [],
        isHeadOnly: Bool = false
    ) async throws -> BatchResult {
        var configuration = BatchConfiguration(retry: Self.quickRetry, output: output)
        configuration.digests = digests
        configuration.isHeadOnly = isHeadOnly
        var results: [BatchResult] = []
        for await result in try Batch(configuration).start(.requests([request])) {
            results.append(result)
        }
        return try #require(results.first)
    }

    private func request(_ url: String, md5: String) throws -> BatchRequest {
        var request = BatchRequest(url: url)
        request.digests = [try #require(ExpectedDigest(.md5, hexadecimal: md5))]
        return request
    }

    private static let abc = "900150983cd24fb0d6963f7d28e17f72"

    @Test func bodyThatMatchesTheListedChecksumIsFetched() async throws {
        let server = try LoopbackServer { _ in .text("abc") }
        let result = try await fetch(
            try request(server.url + "/", md5: Self.abc),
            digests: [.sha256]
        )
        #expect(result.isFetched && result.attempts == 1)
        #expect(result.digests[.md5].map { Hexadecimal.text($0) } == Self.abc)
        #expect(result.digests[.sha256]?.count == 32)
    }

    @Test func bodyWithWrongChecksumIsRetriedOnceAndLeavesNoFile() async throws {
        let server = try LoopbackServer { _ in .text("abd") }
        let folder = try TemporaryDirectory()
        let result = try await fetch(
            try request(server.url + "/a", md5: Self.abc),
            .directory(folder.path)
        )
        #expect(result.failure?.code == .verification)
        #expect(result.failure?.message.contains("as the list says") == true)
        #expect(result.attempts == 2 && server.requestCount == 2)
        #expect(result.path == nil)
        #expect(try TemporaryDirectory.files(in: folder.path).isEmpty)
    }

    @Test func bodyWithRightChecksumOnRetryIsFetched() async throws {
        let counter = Counter()
        let server = try LoopbackServer { _ in
            counter.increment()
            return .text(counter.value == 1 ? "abX" : "abc")
        }
        let folder = try TemporaryDirectory()
        let result = try await fetch(
            try request(server.url + "/a", md5: Self.abc),
            .directory(folder.path)
        )
        #expect(result.isFetched && result.attempts == 2)
        #expect(try folder.read(try #require(result.path)) == Array("abc".utf8))
    }

    @Test(arguments: ["abc", "abd"])
    func keptExistingFileIsVerified(content: String) async throws {
        let server = try LoopbackServer { _ in .text("abc") }
        let folder = try TemporaryDirectory()
        try folder.write(content, to: "x")
        var request = try request(server.url + "/a", md5: Self.abc)
        request.name = "x"
        let result = try await fetch(
            request,
            .directory(folder.path, naming: FileNaming(existing: .skip))
        )
        #expect(result.isExisting == (content == "abc"))
        #expect(result.failure?.code == (content == "abc" ? nil : .verification))
        #expect(result.failure?.message.contains("is kept") != false)
        #expect(server.requestCount == 0)
        #expect(try folder.read("x") == Array(content.utf8))
    }

    @Test(arguments: [
        ("Content-MD5", "kAFQmDzST7DWlj99KOF/cg=="),
        ("Digest", "md5=kAFQmDzST7DWlj99KOF/cg=="),
        ("Repr-Digest", "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"),
        ("Content-Digest", "md5=:kAFQmDzST7DWlj99KOF/cg==:"),
    ])
    func bodyIsVerifiedAgainstTheDigestField(name: String, value: String) async throws {
        let server = try LoopbackServer {
            .text($0.target == "/good" ? "abc" : "bad").header(name, value)
        }
        let good = try await fetch(BatchRequest(url: server.url + "/good"))
        #expect(good.isFetched && good.attempts == 1)
        let bad = try await fetch(BatchRequest(url: server.url + "/bad"))
        #expect(bad.failure?.code == .verification && bad.attempts == 2)
        #expect(bad.failure?.message.hasSuffix("as \(name) says") == true)
    }

    /// A compressed body and a missing body can't be verified.
    @Test func digestFieldOfAHEADResponseIsIgnored() async throws {
        let server = try LoopbackServer { _ in
            .text("other").header("Content-MD5", "kAFQmDzST7DWlj99KOF/cg==")
        }
        let result = try await fetch(BatchRequest(url: server.url + "/"), isHeadOnly: true)
        #expect(result.isFetched && result.bytes == 0)
        #expect(server.requests.first?.method == "HEAD")
    }
}
