internal import CurlTransport
internal import CurlTransportTesting
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// A recording is written without secrets, and replayed.
@Suite(.timeLimit(.minutes(10))) struct RecordingTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path("recording.jsonl")
    }

    private func lines() throws -> [Substring] {
        String(decoding: try folder.read("recording.jsonl"), as: UTF8.self).split(separator: "\n")
    }

    /// Sends a request and reads its response.
    private func text(
        _ client: any HTTPExchanging,
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        body: RequestBody = .none,
        fields: HTTPFields = [:]
    ) async throws(TransportError) -> String {
        var request = try HTTPRequest(method: method, url: "https://api.example" + path)
        request.headerFields.append(contentsOf: fields)
        let response = try await client.send(request, body: body)
        return String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    }

    private func failure(_ client: any HTTPExchanging, _ path: String) async -> TransportError? {
        await #expect(throws: TransportError.self) { try await text(client, path) }
    }

    @Test("The media type of a body reaches the recorded client")
    func bodyTypeIsPassedOn() async throws {
        let stub = StubClient().on(.post, "/token", reply: .text("ok"))
        let recording = try RecordingClient(stub, to: path)
        let form = RequestBody.form(["grant_type": "client_credentials", "scope": "read"])
        #expect(try await text(recording, "/token", .post, body: form) == "ok")
        try recording.finish()
        let type = stub.requests.first?.headerFields[.contentType]
        #expect(type == "application/x-www-form-urlencoded")
        let replay = try ReplayingClient(from: path)
        #expect(try await text(replay, "/token", .post, body: form) == "ok")
    }

    @Test("Exchanges are replayed with status, fields, content and trailers")
    func exchangesAreReplayed() async throws {
        let stub = StubClient()
            .on(.get, "/a", reply: .chunks([[0xC3], [0xA4]], trailers: [.eTag: "t"]))
            .on(.post, "/b") { .text($0.bodyText, status: .created).field(.server, "s") }
            .on(.get, "/binary", reply: .bytes([0, 0xFF, 0x80]))
            .on(.get, "/none", reply: .status(.noContent))
        let recording = try RecordingClient(stub, to: path)
        #expect(try await text(recording, "/a") == "ä")
        #expect(try await text(recording, "/b", .post, body: .text("x")) == "x")
        _ = try await text(recording, "/binary")
        _ = try await recording.send(HTTPRequest(url: "https://api.example/none"))
        try recording.finish()
        #expect(try lines().count == 4)
        #expect(try lines()[0].contains(#""body":{"text":"ä"}"#))
        #expect(try lines()[2].contains(#""body":{"base64":"AP+A"}"#))

        let replay = try ReplayingClient(from: path)
        #expect(replay.exchanges.map(\.statusCode) == [200, 201, 200, 204])
        let first = try await replay.send(HTTPRequest(url: "https://api.example/a"))
        #expect(try await first.body.collect(upTo: 9) == Array("ä".utf8))
        #expect(first.trailers == [.eTag: "t"])
        #expect(first.head.contentLength == nil)
        let second = try await replay.send(
            HTTPRequest(method: .post, url: "https://api.example/b"),
            body: .text("x")
        )
        #expect(second.statusCode == 201 && second.headerFields[.server] == "s")
        #expect(second.status.reasonPhrase == "Created")
        #expect(
            replay.unusedExchanges.map(\.url)
                == ["/binary", "/none"].map { "https://api.example" + $0 }
        )
        let binary = try await replay.send(HTTPRequest(url: "https://api.example/binary"))
        #expect(try await binary.body.collect(upTo: 9) == [0, 0xFF, 0x80])
    }

    @Test("A transfer over a real connection is recorded and replayed")
    func realTransferIsReplayed() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let client = try HTTPClient()
        let request = try HTTPRequest(url: server.url + "/x")
        let recording = try RecordingClient(client, to: path)
        let recorded = try await recording.send(request)
        #expect(try await recorded.body.collect(upTo: 9) == Array("hello".utf8))
        #expect(recorded.metrics?.bodyBytes == 5)
        try recording.finish()
        await client.shutdown()
        server.stop()
        let replayed = try await ReplayingClient(from: path).send(request)
        #expect(replayed.head == recorded.head)
        #expect(try await replayed.body.collect(upTo: 9) == Array("hello".utf8))
    }

    @Test("Equal requests get their answers in the order in which they were sent")
    func orderOfEqualRequestsIsKept() async throws {
        let gate = Gate()
        let stub = StubClient()
            .on(.get, "/a", reply: .text("1").waiting(for: gate), .text("2"), .text("3"))
        let recording = try RecordingClient(stub, to: path)
        async let first = text(recording, "/a")
        _ = try await stub.requests(count: 1)
        #expect(try await text(recording, "/a") == "2")
        gate.open()
        #expect(try await first == "1")
        #expect(try await text(recording, "/a") == "3")
        try recording.finish()
        let replay = try ReplayingClient(from: path)
        for answer in ["1", "2", "3"] { #expect(try await text(replay, "/a") == answer) }
        let error = await failure(replay, "/a")
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("recorded 3 times, and all were replayed") == true)
        #expect(replay.unusedExchanges.isEmpty)
    }

    @Test("Failures are replayed with their code, phase and advice")
    func failuresAreReplayed() async throws {
        let stub = StubClient()
            .on(.get, "/down", reply: .failure(.connectRefused))
            .on(
                .get,
                "/cut",
                reply: .chunks([[65], [66]]).failing(.connectionLost, afterChunks: 1)
            )
            .on(.get, "/left", reply: .text("abc"))
        let recording = try RecordingClient(stub, to: path)
        let original = await failure(recording, "/down")
        _ = await failure(recording, "/cut")
        _ = try await recording.send(HTTPRequest(url: "https://api.example/left"))
        try recording.finish()
        let replay = try ReplayingClient(from: path)
        let replayed = await failure(replay, "/down")
        #expect(replayed?.code == .connectRefused && replayed?.phase == original?.phase)
        #expect(replayed?.retry == .always && replayed?.message == original?.message)
        let cut = try await replay.send(HTTPRequest(url: "https://api.example/cut"))
        var body = cut.body.makeAsyncIterator()
        #expect(try await body.next() == [65])
        let error = await #expect(throws: TransportError.self) {
            try await cut.body.collect(upTo: 9)
        }
        #expect(error?.code == .connectionLost)
        #expect(await failure(replay, "/left")?.code == .cancelled)
    }

    @Test("A request that isn't recorded fails with what is recorded instead")
    func unrecordedRequestFails() async throws {
        let stub = StubClient().on(nil, "**", reply: .text("x"))
        let recording = try RecordingClient(stub, to: path)
        _ = try await text(recording, "/a?page=1")
        _ = try await text(recording, "/b", .post, body: .text("one"))
        try recording.finish()
        let replay = try ReplayingClient(from: path)
        #expect(await failure(replay, "/a?page=2")?.message.contains("another query") == true)
        let other = await failure(replay, "/c")
        #expect(other?.message.contains("recorded were GET https://api.example/a, POST") == true)
        let content = await #expect(throws: TransportError.self) {
            try await text(replay, "/b", .post, body: .text("two"))
        }
        #expect(content?.message.contains("other content") == true)
        let lenient = try ReplayingClient(from: path, comparesBodies: false)
        #expect(try await text(lenient, "/b", .post, body: .text("two")) == "x")
    }

    // MARK: Secrets

    @Test("Secrets in fields, URLs, forms and JSON aren't recorded, and still match")
    func secretsAreNotRecorded() async throws {
        let stub = StubClient().on(nil, "**") { _ in
            .json(#"{"access_token": "s3cret", "user": {"password": "s3cret"}, "a": 1.50}"#)
                .field(.setCookie, "id=s3cret").field(.location, "/next?token=s3cret&a=b")
        }
        let recording = try RecordingClient(stub, to: path)
        func send(_ client: any HTTPExchanging) async throws -> String {
            try await text(
                client,
                "/a?api_key=s3cret&page=2",
                .post,
                body: .text("client_secret=s3cret&grant=code"),
                fields: [
                    .authorization: "Bearer s3cret",
                    .contentType: "application/x-www-form-urlencoded",
                ]
            )
        }
        #expect(try await send(recording).contains("s3cret"))
        try recording.finish()
        let line = try #require(try lines().first)
        #expect(!line.contains("s3cret"), "\(line)")
        #expect(line.contains("/a?api_key=<redacted>&page=2"))
        #expect(line.contains("client_secret=<redacted>&grant=code"))
        #expect(line.contains(#"\"a\":1.50"#))
        #expect(try await send(try ReplayingClient(from: path)).contains("<redacted>"))
    }

    @Test("Secrets in nested parameters and members, and in fragments, aren't recorded")
    func nestedSecretsAreNotRecorded() async throws {
        let stub = StubClient().on(nil, "**") { _ in
            .json(
                #"{"token": {"value": "s3cret", "age": 7}, "privateKey": ["s3cret"], "name": "Ada"}"#
            )
            .field(.contentType, "application/json ; charset=utf-8")
            .field(.location, "https://app.example/#access_token=s3cret&state=on")
        }
        let recording = try RecordingClient(stub, to: path)
        _ = try await text(
            recording,
            "/a?user%5Bpassword%5D=s3cret&user%5Bname%5D=Ada#id_token=s3cret",
            .post,
            body: .form(["user[password]": "s3cret", "user[name]": "Ada"])
        )
        try recording.finish()
        let line = try #require(try lines().first)
        #expect(!line.contains("s3cret"), "\(line)")
        #expect(line.contains("#access_token=<redacted>&state=on"))
        #expect(line.contains("user%5Bname%5D=Ada") && line.contains(#"\"name\":\"Ada\""#))
    }

    @Test("Further names and content are redacted if the program says so")
    func ownRedactionApplies() async throws {
        let redaction = RecordingRedaction(names: ["X-Customer"]) { _, bytes in
            bytes.map { $0 == UInt8(ascii: "7") ? UInt8(ascii: "0") : $0 }
        }
        let stub = StubClient().on(nil, "**", reply: .text("order 77"))
        let recording = try RecordingClient(stub, to: path, redaction: redaction)
        let customer = try #require(HTTPField.Name("x-customer"))
        _ = try await text(recording, "/a", fields: [customer: "Ada"])
        try recording.finish()
        let line = try #require(try lines().first)
        #expect(line.contains("order 00") && !line.contains("Ada"))
    }

    // MARK: Files

    @Test("A file that can't be written or read is named")
    func unusableFileIsNamed() throws {
        let missing = folder.path("none/file")
        let writing = #expect(throws: RecordingError.self) {
            try RecordingClient(StubClient(), to: missing)
        }
        let reading = #expect(throws: RecordingError.self) { try ReplayingClient(from: missing) }
        for error in [writing, reading] {
            #expect(error?.path == missing)
            #expect(error?.description.contains("No such file") == true)
        }
    }

    @Test(
        "A malformed line is named with its number",
        arguments: [
            ("{", "isn't JSON"), ("{}", "“number” or “request” is missing"),
            (#"{"number":0,"request":{}}"#, "no valid “method” and “url”"),
            (#"{"number":0,"request":{"method":"GET","url":"/"}}"#, "are missing"),
            (
                #"{"number":0,"request":{"method":"GET","url":"/"},"response":{"status":99}}"#,
                "“status”"
            ),
            (#"{"number":0,"request":{"method":"GET","url":"/"},"error":{"code":"x"}}"#, "“code”"),
            (
                #"{"number":0,"request":{"method":"GET","url":"/","body":{"base64":"!"}},"error":{}}"#,
                "“base64”"
            ),
            (
                #"{"number":0,"request":{"method":"GET","url":"/","fields":[1]},"error":{}}"#,
                "“fields”"
            ),
        ]
    )
    func malformedLineIsNamed(_ line: String, _ reason: String) throws {
        try folder.write("\n" + line + "\n", to: "recording.jsonl")
        let error = #expect(throws: RecordingError.self) { try ReplayingClient(from: path) }
        #expect(error?.line == 2)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "-")")
    }
}
