internal import CurlTransport
internal import HTTPTypes
internal import Synchronization
internal import TestSupport
internal import Testing

/// Downloads that are continued after an interruption.
@Suite(.timeLimit(.minutes(10))) struct ResumableDownloadTests {
    /// A server of one content that understands ranges.
    private final class RangeServer: Sendable {
        struct State {
            var bytes: [UInt8]
            var tag: String? = "\"one\""
            /// Ends the connection after this many bytes of each body.
            var limit: Int?
            var supportsRanges = true
        }

        let state: Mutex<State>

        init(_ bytes: [UInt8]) {
            state = Mutex(State(bytes: bytes))
        }

        func start() throws -> LoopbackServer {
            try LoopbackServer { [self] in answer($0) }
        }

        private func answer(_ request: RecordedRequest) -> Reply {
            let state = state.withLock { $0 }
            var headers: [(String, String)] = state.tag.map { [("ETag", $0)] } ?? []
            var (status, start) = (200, 0)
            if state.supportsRanges, let range = request.header("Range"),
                request.header("If-Range") == state.tag,
                let first = Int(range.dropFirst("bytes=".count).dropLast())
            {
                guard first < state.bytes.count else {
                    headers.append(("Content-Range", "bytes */\(state.bytes.count)"))
                    return Reply(416, headers: headers)
                }
                (status, start) = (206, first)
                let last = state.bytes.count - 1
                headers.append(("Content-Range", "bytes \(first)-\(last)/\(state.bytes.count)"))
            }
            let rest = Array(state.bytes[start...])
            guard let limit = state.limit, limit < rest.count else {
                return Reply(status, headers: headers, body: .bytes(rest))
            }
            headers.append(("Content-Length", "\(rest.count)"))
            return Reply(
                status,
                headers: headers,
                body: .steps([.send(Array(rest[..<limit])), .stall])
            )
        }
    }

    private static let content = RequestBodyTests.bytes(1 << 20)

    /// Starts a download that is cancelled after `count` bytes, and returns its error.
    private static func interrupt(
        _ client: HTTPClient,
        _ request: HTTPRequest,
        _ path: String,
        after count: Int
    ) async throws -> TransportError? {
        let arrived = Gate()
        let task = Task {
            try await client.resumableDownload(request, to: path) { progress in
                if progress.received >= count { arrived.open() }
            }
        }
        try await arrived.wait()
        task.cancel()
        guard case .failure(let error) = await task.result else { return nil }
        return error as? TransportError
    }

    @Test("An interrupted download continues with the missing bytes")
    func interruptedDownloadContinues() async throws {
        let directory = try TemporaryDirectory()
        let content = RangeServer(Self.content)
        content.state.withLock { $0.limit = 600_000 }
        let (server, client) = (try content.start(), try HTTPClient())
        let path = directory.path("file")
        let request = try HTTPRequest(url: server.url + "/file?signature=1")
        let error = try await Self.interrupt(client, request, path, after: 600_000)
        #expect(error?.code == .cancelled)
        #expect(try directory.contents().sorted() == ["file.partial", "file.partial-state"])
        content.state.withLock { $0.limit = nil }
        let progresses = EventRecorder<DownloadProgress>()
        let result = try await client.resumableDownload(
            // The query of a signed URL changes.
            HTTPRequest(url: server.url + "/file?signature=2"),
            to: path
        ) { progresses.record($0) }
        #expect(result.isComplete && result.response.statusCode == 206)
        let all = Int64(Self.content.count)
        #expect(result.progress == DownloadProgress(received: all, expected: all, resumed: 600_000))
        #expect(progresses.events.first?.received == 600_000)
        #expect(progresses.events.last == result.progress)
        #expect(result.progress.fraction == 1)
        let isIntact = try directory.read("file") == Self.content
        #expect(isIntact)
        #expect(try directory.contents() == ["file"])
        let last = try #require(server.requests.last)
        #expect(last.header("Range") == "bytes=600000-")
        #expect(last.header("If-Range") == "\"one\"")
        #expect(server.requests.allSatisfy { $0.header("Accept-Encoding") == "identity" })
        await client.shutdown()
    }

    @Test("Changed content is downloaded from its beginning")
    func changedContentRestarts() async throws {
        let directory = try TemporaryDirectory()
        let content = RangeServer(Self.content)
        content.state.withLock { $0.limit = 500_000 }
        let (server, client) = (try content.start(), try HTTPClient())
        let request = try HTTPRequest(url: server.url + "/file")
        let path = directory.path("file")
        _ = try await Self.interrupt(client, request, path, after: 500_000)
        let new = Array(Self.content.reversed())
        content.state.withLock { $0 = .init(bytes: new, tag: "\"two\"") }
        let result = try await client.resumableDownload(request, to: path)
        #expect(result.isComplete && result.response.statusCode == 200)
        #expect(result.progress.resumed == 0)
        let isIntact = try directory.read("file") == new
        #expect(isIntact)
        #expect(try directory.contents() == ["file"])
        await client.shutdown()
    }

    @Test("A complete partial file is taken without its bytes being sent again")
    func completePartialFileIsTaken() async throws {
        let directory = try TemporaryDirectory()
        let content = RangeServer(Self.content)
        content.state.withLock { $0.limit = 400_000 }
        let (server, client) = (try content.start(), try HTTPClient())
        let request = try HTTPRequest(url: server.url + "/file")
        let path = directory.path("file")
        _ = try await Self.interrupt(client, request, path, after: 400_000)
        // As if the program had ended after the last byte.
        try directory.write(Self.content, to: "file.partial")
        content.state.withLock { $0.limit = nil }
        let result = try await client.resumableDownload(request, to: path)
        #expect(result.isComplete && result.response.statusCode == 416)
        let isIntact = try directory.read("file") == Self.content
        #expect(isIntact)
        #expect(try directory.contents() == ["file"])
        await client.shutdown()
    }

    @Test("Without a strong validator, nothing of an interrupted download is kept")
    func nothingIsKeptWithoutValidator() async throws {
        let directory = try TemporaryDirectory()
        let content = RangeServer(Self.content)
        let (server, client) = (try content.start(), try HTTPClient())
        let request = try HTTPRequest(url: server.url + "/file")
        for tag in [nil, "W/\"weak\""] {
            content.state.withLock { ($0.limit, $0.tag) = (300_000, tag) }
            let path = directory.path("file")
            _ = try await Self.interrupt(client, request, path, after: 300_000)
            #expect(try directory.contents() == [])
        }
        await client.shutdown()
    }

    @Test("Another status keeps the partial file, and its body can be read")
    func otherStatusKeepsPartialFile() async throws {
        let directory = try TemporaryDirectory()
        let content = RangeServer(Self.content)
        content.state.withLock { $0.limit = 300_000 }
        let (server, client) = (try content.start(), try HTTPClient())
        let busy = try LoopbackServer { _ in .text("busy", status: 503) }
        let path = directory.path("file")
        let override = "127.0.0.1:\(busy.port)"
        _ = try await Self.interrupt(
            client,
            HTTPRequest(url: server.url + "/file"),
            path,
            after: 300_000
        )
        // The same URL, answered by the other server.
        let busyClient = OtherServer(client: client, authority: override)
        let result = try await busyClient.resumableDownload(
            HTTPRequest(url: server.url + "/file"),
            to: path
        )
        #expect(!result.isComplete && result.response.statusCode == 503)
        #expect(try await result.response.body.collect(upTo: 10) == Array("busy".utf8))
        #expect(try directory.contents().sorted() == ["file.partial", "file.partial-state"])
        #expect(busy.requests.first?.header("Range") == "bytes=300000-")
        // A download without an earlier one leaves nothing.
        let missing = try await client.resumableDownload(
            HTTPRequest(url: busy.url),
            to: directory.path("other")
        )
        #expect(!missing.isComplete)
        #expect(try directory.contents().count == 2)
        await client.shutdown()
    }

    @Test("A partial file of another URL, or with a damaged record, isn't continued")
    func foreignPartialFilesAreIgnored() async throws {
        let directory = try TemporaryDirectory()
        let content = RangeServer(Self.content)
        let (server, client) = (try content.start(), try HTTPClient())
        for record in [
            "curl-transport partial download 1\n\(server.url)/other\n\"one\"\n*\n",
            "curl-transport partial download 9\n\(server.url)/file\n\"one\"\n*\n",
            "curl-transport partial download 1\n\(server.url)/file\n\"one\"\n2\n", "\0", "",
        ] {
            try directory.write("xxx", to: "file.partial")
            try directory.write(record, to: "file.partial-state")
            let result = try await client.resumableDownload(
                HTTPRequest(url: server.url + "/file"),
                to: directory.path("file")
            )
            #expect(result.isComplete && result.progress.resumed == 0)
            let isIntact = try directory.read("file") == Self.content
            #expect(isIntact)
            #expect(try directory.contents() == ["file"])
        }
        #expect(server.requests.allSatisfy { $0.header("Range") == nil })
        await client.shutdown()
    }

    @Test("A server that refuses a range is asked for the whole content")
    func refusedRangeRestarts() async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { request in
            guard request.header("Range") != nil else {
                return Reply(headers: [("ETag", "\"two\"")], body: .bytes(Array("whole".utf8)))
            }
            // A part of other content, by a server that ignores If-Range.
            return Reply(
                206,
                headers: [("ETag", "\"two\""), ("Content-Range", "bytes 3-4/5")],
                body: .bytes(Array("le".utf8))
            )
        }
        let client = try HTTPClient()
        try directory.write("xxx", to: "file.partial")
        let record = "curl-transport partial download 1\n\(server.url)/file\n\"one\"\n5\n"
        try directory.write(record, to: "file.partial-state")
        let result = try await client.resumableDownload(
            HTTPRequest(url: server.url + "/file"),
            to: directory.path("file")
        )
        #expect(result.isComplete && server.requests.count == 2)
        #expect(try directory.read("file") == Array("whole".utf8))
        await client.shutdown()
    }

    @Test("A part of a content of unknown length is followed by the next one")
    func partsAreJoined() async throws {
        let directory = try TemporaryDirectory()
        let text = Array("0123456789".utf8)
        let server = try LoopbackServer { request in
            let first = Int(request.header("Range")?.dropFirst(6).dropLast() ?? "") ?? 0
            let tag = ("ETag", "\"one\"")
            guard first < text.count else {
                return Reply(416, headers: [tag, ("Content-Range", "bytes */10")])
            }
            let end = min(first + 4, text.count)
            return Reply(
                206,
                headers: [tag, ("Content-Range", "bytes \(first)-\(end - 1)/*")],
                body: .bytes(Array(text[first..<end]))
            )
        }
        let client = try HTTPClient()
        try directory.write("01", to: "file.partial")
        let record = "curl-transport partial download 1\n\(server.url)/file\n\"one\"\n*\n"
        try directory.write(record, to: "file.partial-state")
        let result = try await client.resumableDownload(
            HTTPRequest(url: server.url + "/file"),
            to: directory.path("file")
        )
        #expect(result.isComplete && result.progress.received == 10)
        #expect(try directory.read("file") == text)
        #expect(
            server.requests.map { $0.header("Range") } == [
                "bytes=2-", "bytes=6-", "bytes=10-",
            ]
        )
        await client.shutdown()
    }

    @Test("A part with more bytes than it announces is replaced by the whole content")
    func overlongPartRestarts() async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { request in
            guard request.header("Range") != nil else {
                return Reply(headers: [("ETag", "\"one\"")], body: .bytes(Array("01234567".utf8)))
            }
            let range = ("Content-Range", "bytes 2-4/8")
            let body = Reply.Body.chunks([Array("234xxx".utf8)], trailers: [])
            return Reply(206, headers: [("ETag", "\"one\""), range], body: body)
        }
        let client = try HTTPClient()
        try directory.write("01", to: "file.partial")
        let record = "curl-transport partial download 1\n\(server.url)/file\n\"one\"\n8\n"
        try directory.write(record, to: "file.partial-state")
        let result = try await client.resumableDownload(
            HTTPRequest(url: server.url + "/file"),
            to: directory.path("file")
        )
        #expect(result.isComplete && server.requests.count == 2)
        #expect(try directory.read("file") == Array("01234567".utf8))
        await client.shutdown()
    }

    @Test("A second download of the same path doesn't disturb the first one")
    func pathsInUseAreKeptApart() async throws {
        let directory = try TemporaryDirectory()
        let content = RangeServer(Self.content)
        content.state.withLock { $0.limit = 300_000 }
        let (server, client) = (try content.start(), try HTTPClient())
        let request = try HTTPRequest(url: server.url + "/file")
        let path = directory.path("file")
        let arrived = Gate()
        let first = Task {
            try await client.resumableDownload(request, to: path) { progress in
                if progress.received >= 300_000 { arrived.open() }
            }
        }
        try await arrived.wait()
        content.state.withLock { $0.limit = nil }
        let second = try await client.resumableDownload(request, to: path)
        #expect(second.isComplete && second.progress.resumed == 0)
        #expect(
            try directory.contents().sorted() == ["file", "file.partial", "file.partial-state"]
        )
        first.cancel()
        _ = await first.result
        let third = try await client.resumableDownload(request, to: path)
        #expect(third.isComplete && third.progress.resumed == 300_000)
        #expect(try directory.contents() == ["file"])
        await client.shutdown()
    }

    @Test("Unwritable places and parts that weren't requested are errors")
    func errorsAreThrown() async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { _ in
            Reply(206, headers: [("Content-Range", "bytes 0-1/4")], body: .bytes([1, 2]))
        }
        let client = try HTTPClient()
        let request = try HTTPRequest(url: server.url)
        let nowhere = await #expect(throws: TransportError.self) {
            try await client.resumableDownload(request, to: directory.path("missing/file"))
        }
        #expect(nowhere?.code == .fileWriteFailed && nowhere?.message.contains("missing") == true)
        let part = await #expect(throws: TransportError.self) {
            try await client.resumableDownload(request, to: directory.path("file"))
        }
        #expect(part?.code == .invalidResponse)
        #expect(try directory.contents() == [])
        await client.shutdown()
    }

    @Test("A plain download reports its progress", arguments: HTTPClientDownloadTests.places)
    func plainDownloadHasProgress(_ place: String) async throws {
        let directory = try TemporaryDirectory(in: place)
        let server = try LoopbackServer { _ in .bytes(Self.content) }
        let client = try HTTPClient()
        let progresses = EventRecorder<DownloadProgress>()
        _ = try await client.download(
            HTTPRequest(url: server.url),
            to: directory.path("file"),
            progress: { progresses.record($0) }
        )
        let all = Int64(Self.content.count)
        #expect(progresses.events.first == DownloadProgress(received: 0, expected: all))
        #expect(progresses.events.last == DownloadProgress(received: all, expected: all))
        let counts = progresses.events.map(\.received)
        #expect(counts == counts.sorted())
        let isIntact = try directory.read("file") == Self.content
        #expect(isIntact)
        await client.shutdown()
    }
}

/// Sends requests to another server than their URL's.
private struct OtherServer: HTTPExchanging {
    let client: HTTPClient
    let authority: String

    func send(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext
    ) async throws(TransportError) -> HTTPClientResponse {
        var request = request
        request.authority = authority
        return try await client.send(request, body: body, context: context)
    }
}
