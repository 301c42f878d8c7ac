internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct JournalResumptionTests {
    private let fixture: JournalFixture
    private let content = Content.numbered(1, count: 1000)
    /// Opens at the first write to the file. A connection that is lost before may lose its
    /// response, too.
    private let written = Gate()

    init() throws {
        fixture = try JournalFixture()
    }

    private func journal() throws -> TransferJournal {
        try fixture.journal { [written] configuration in
            configuration.willTakeStep = { step, _ in
                if step == .writeBytes { written.open() }
            }
        }
    }

    /// A reply with the first 600 bytes of the content, followed by a connection reset.
    private func broken(
        _ content: Content,
        headers: [(String, String)] = []
    ) -> Reply {
        content.broken(after: 600, headers: headers, then: [.waitFor(written), .reset])
    }

    /// The same with chunked encoding, so that the length of the content is unknown.
    private func brokenChunks(_ count: Int) -> Reply {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"a\"\r\n\r\n"
        let bytes = [UInt8](content.bytes[..<count])
        return .steps([.send(Array(head.utf8)), Reply.chunk(bytes), .waitFor(written), .reset])
    }

    /// Downloads a file from a server whose first reply breaks off, and returns the job and the
    /// requests.
    private func download(
        first: Reply,
        then reply: @escaping @Sendable (RecordedRequest) -> Reply
    ) async throws -> (job: TransferJob, requests: [RecordedRequest]) {
        let count = Watched(0)
        let server = try LoopbackServer { request in
            let number = count.update { count in
                count += 1
                return count
            }
            return number == 1 ? first : reply(request)
        }
        let journal = try journal()
        try await journal.download(server.request(), to: fixture.file("file"), id: "a")
        let job = try await journal.outcome(of: "a")
        await journal.close()
        return (job, server.requests)
    }

    @Test("S-02: An interrupted download resumes at its last byte")
    func interruptedDownloadResumesAtItsLastByte() async throws {
        let content = content
        let (job, requests) = try await download(first: broken(content)) {
            content.reply(to: $0)
        }
        #expect(job.state == .finished)
        #expect((job.attempts, job.statusCode, job.bytes) == (2, 206, 1000))
        #expect(requests.map { $0.header("Range") } == [nil, "bytes=600-"])
        #expect(requests.map { $0.header("If-Range") } == [nil, "\"a\""])
        #expect(try fixture.files.read("file") == content.bytes)
    }

    @Test("S-02: A resumed download restarts when the content has changed")
    func resumedDownloadRestartsWhenContentChanged() async throws {
        var other = Content.numbered(2, count: 1100)
        other.tag = "\"b\""
        let (job, requests) = try await download(first: broken(content)) {
            [other] in other.reply(to: $0)
        }
        #expect((job.state, job.entityTag, job.statusCode) == (.finished, "\"b\"", 200))
        #expect(requests.map { $0.header("Range") } == [nil, "bytes=600-"])
        #expect(try fixture.files.read("file") == other.bytes)
    }

    @Test(
        "S-02: A partial response that doesn't match restarts the download",
        arguments: [
            ("bytes 600-1099/1100", "\"a\""), ("bytes 600-999/1000", "\"b\""),
            ("bytes 500-999/1000", "\"a\""),
        ]
    )
    func partThatDoesNotMatchRestartsTheDownload(range: String, tag: String) async throws {
        var other = Content.numbered(2, count: 1100)
        other.tag = "\"b\""
        let (job, requests) = try await download(first: broken(content)) {
            [other] request in
            guard request.header("Range") != nil else { return other.reply(to: request) }
            return Reply(
                206,
                headers: [("Content-Range", range), ("ETag", tag)],
                body: .bytes([1, 2, 3])
            )
        }
        #expect(job.state == .finished)
        #expect(requests.map { $0.header("Range") } == [nil, "bytes=600-", nil])
        #expect(try fixture.files.read("file") == other.bytes)
    }

    @Test("S-02: If a partial response is longer than its range, the download restarts")
    func partLongerThanItsRangeRestartsTheDownload() async throws {
        let content = content
        let (job, requests) = try await download(first: broken(content)) { request in
            guard request.header("Range") != nil else { return content.reply(to: request) }
            return Reply(
                206,
                headers: [("Content-Range", "bytes 600-999/1000"), ("ETag", "\"a\"")],
                body: .chunks([[UInt8](repeating: 1, count: 500)], trailers: [])
            )
        }
        #expect((job.state, job.bytes) == (.finished, 1000))
        #expect(requests.map { $0.header("Range") } == [nil, "bytes=600-", nil])
        #expect(try fixture.files.read("file") == content.bytes)
    }

    @Test(
        "S-02: If a partial response is shorter than its range, the download requests the remainder"
    )
    func partShorterThanItsRangeRequestsTheRemainder() async throws {
        let content = content
        let isFirst = Watched(true)
        let (job, requests) = try await download(first: brokenChunks(600)) { request in
            let isShort = isFirst.update { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isShort else { return content.reply(to: request) }
            return Reply(
                206,
                headers: [("Content-Range", "bytes 600-999/*"), ("ETag", "\"a\"")],
                body: .chunks([[UInt8](content.bytes[600..<800])], trailers: [])
            )
        }
        #expect(job.state == .finished)
        #expect(requests.map { $0.header("Range") } == [nil, "bytes=600-", "bytes=800-"])
        #expect(try fixture.files.read("file") == content.bytes)
    }

    @Test(
        "S-02: A partial response that may not reach the end isn't taken as complete",
        arguments: [
            // Without the complete length, the content may be longer.
            (206, "bytes 600-799/*", ["bytes=600-", "bytes=800-"]),
            (206, "bytes 600-999/*", ["bytes=600-", "bytes=1000-"]),
            // Invalid (RFC 9110, section 14.4).
            (206, "bytes 600-799/99999999999999999999", ["bytes=600-", nil]),
            (206, "bytes 600-9223372036854775807/0", ["bytes=600-", nil]),
            (206, "bytes 600-799/700", ["bytes=600-", nil]),
            (206, "bytes 600-599/1000", ["bytes=600-", nil]),
            (206, "bytes 599-799/1000", ["bytes=600-", nil]),
            // An unsatisfied range must be an asterisk.
            (416, "bytes 0-599/600", ["bytes=600-", nil]),
        ] as [(Int, String, [String?])]
    )
    func partThatMayNotReachTheEndIsNotComplete(status: Int, range: String, expected: [String?])
        async throws
    {
        let content = content
        let count = Watched(0)
        let end = range.hasPrefix("bytes 600-999") ? 1000 : 800
        let (job, requests) = try await download(first: brokenChunks(600)) { request in
            let isFirst = count.update { count in
                count += 1
                return count == 1
            }
            guard isFirst else { return content.reply(to: request) }
            let body = [UInt8](content.bytes[600..<end])
            return Reply(
                status,
                headers: [("Content-Range", range), ("ETag", "\"a\"")],
                body: status == 416 ? .bytes([]) : .chunks([body], trailers: [])
            )
        }
        #expect((job.state, job.bytes) == (.finished, 1000))
        #expect(requests.map { $0.header("Range") } == [nil] + expected)
        #expect(try fixture.files.read("file") == content.bytes)
    }

    @Test("S-02: A 416 response at the content's end completes the download")
    func status416AtTheEndCompletesTheDownload() async throws {
        let bytes = content.bytes
        let content = content
        let first = brokenChunks(1000)
        let (job, requests) = try await download(first: first) { content.reply(to: $0) }
        #expect((job.state, job.statusCode) == (.finished, 416))
        #expect(requests.map { $0.header("Range") } == [nil, "bytes=1000-"])
        #expect(try fixture.files.read("file") == bytes)
    }

    @Test("S-02: If the content is shorter than the partial file, the download restarts")
    func contentShorterThanPartialFileRestarts() async throws {
        let other = Content.numbered(2, count: 300)
        let (job, requests) = try await download(first: broken(content)) { request in
            guard request.header("Range") != nil else { return other.reply(to: request) }
            return Reply(416, headers: [("Content-Range", "bytes */300")])
        }
        #expect(job.state == .finished)
        #expect(requests.map { $0.header("Range") } == [nil, "bytes=600-", nil])
        #expect(try fixture.files.read("file") == other.bytes)
    }

    @Test(
        "S-02: Without a strong validator, or with encoded content, a download restarts",
        arguments: [
            ("W/\"a\"", [("X-Other", "none")]), (nil, [("X-Other", "none")]),
            ("\"a\"", [("Content-Encoding", "br")]), ("\"a\"", [("Accept-Ranges", "none")]),
        ] as [(String?, [(String, String)])]
    )
    func downloadRestartsWithoutStrongValidator(
        tag: String?,
        headers: [(String, String)]
    ) async throws {
        var first = content
        first.tag = tag
        let content = content
        let (job, requests) = try await download(first: broken(first, headers: headers)) {
            content.reply(to: $0)
        }
        #expect(job.state == .finished)
        #expect(requests.map { $0.header("Range") } == [nil, nil])
        #expect(try fixture.files.read("file") == content.bytes)
    }

    @Test("S-02: `Last-Modified` is a validator if it is old enough")
    func oldEnoughLastModifiedIsAValidator() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        var first = content
        first.tag = nil
        for (sent, expected) in [("Sun, 06 Nov 1994 09:00:00 GMT", date), (date, nil)] {
            let headers = [("Last-Modified", date), ("Date", sent)]
            let bytes = content.bytes
            let (job, requests) = try await download(
                first: broken(first, headers: headers)
            ) { request in
                guard request.header("Range") != nil else { return Reply(body: .bytes(bytes)) }
                return Reply(
                    206,
                    headers: [("Content-Range", "bytes 600-999/1000"), ("Last-Modified", date)],
                    body: .bytes([UInt8](bytes[600...]))
                )
            }
            #expect(job.state == .finished)
            #expect(requests[1].header("If-Range") == expected)
            #expect(try fixture.files.read("file") == content.bytes)
            try FileManager.default.removeItem(at: fixture.file("file"))
            try FileManager.default.removeItem(at: fixture.journalFolder)
        }
    }

    @Test("S-02: Transient failures are retried up to the maximum number of attempts")
    func transientFailuresAreRetried() async throws {
        let content = content
        let server = try LoopbackServer { request in
            request.path == "/bad" ? .status(503) : content.reply(to: request)
        }
        let journal = try fixture.journal { $0.maximumAttempts = 3 }
        try await journal.download(server.request("/bad"), to: fixture.file("bad"), id: "bad")
        let job = try await journal.outcome(of: "bad")
        #expect((job.state, job.attempts, job.statusCode) == (.failed, 3, 503))
        #expect(job.failure?.code == 503)
        #expect(job.failure?.domain == TransferJobFailure.errorDomain)
        #expect(server.requestCount == 3)
    }

    @Test("S-02: Permanent failures aren't retried, and keep the partial file")
    func permanentFailuresAreNotRetried() async throws {
        let content = content
        let first = broken(content)
        let isGone = Watched(true)
        let count = Watched(0)
        let server = try LoopbackServer { request in
            let number = count.update { count in
                count += 1
                return count
            }
            if number == 1 { return first }
            return isGone.read { $0 } ? .status(404) : content.reply(to: request)
        }
        let journal = try journal()
        try await journal.download(server.request(), to: fixture.file("file"), id: "a")
        let failed = try await journal.outcome(of: "a")
        #expect((failed.state, failed.statusCode, failed.bytes) == (.failed, 404, 600))
        isGone.update { $0 = false }
        try await journal.resume("a")
        #expect(try await journal.outcome(of: "a").state == .finished)
        #expect(server.requests.map { $0.header("Range") }.last == "bytes=600-")
        #expect(try fixture.files.read("file") == content.bytes)
    }
}
