internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Unsolicited bytes and lost connections where libcurl itself sends the next request.
///
/// libcurl does so on a connection that another transfer has just left, and after a challenge.
@Suite(.timeLimit(.minutes(10))) struct UnsolicitedBytesUnderLoadTests {
    private static let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
    private static let challenge = Array(
        ("HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\n"
            + "Content-Length: 2\r\n\r\n").utf8
    )

    private static func head(_ text: String, reason: String = "OK") -> String {
        "HTTP/1.1 200 \(reason)\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
    }

    private static var digest: TransferOptions {
        var options = TransferOptions.patient
        options.authentication = .digest(user: "u", password: "p")
        return options
    }

    /// Answers with the path; each third answer carries a forged response.
    ///
    /// The forged response is in the answer's last segment.
    private static func cycle(_ count: Int = 1) -> [Step] {
        [
            .readHead,
            .respond { request in
                let text = "good \(request.path)"
                let unsolicited = count % 3 == 0 ? forged : ""
                // Sent separately, so that libcurl reads the head and then no more than the body.
                return [.send(head(text)), .after(.milliseconds(1)), .send(text + unsolicited)]
                    + cycle(count + 1)
            },
        ]
    }

    @Test(
        "Concurrent requests each get their own response when unsolicited bytes follow",
        arguments: [false, true]
    )
    func concurrentRequestsGetTheirOwnResponses(usesProxy: Bool) async throws {
        let server = try LoopbackServer.scripted { _ in Self.cycle() }
        var options = TransferOptions.patient
        if usesProxy {
            options.proxy = .server(ProxyServer(.http, host: "127.0.0.1", port: server.port))
        }
        let client = try HTTPClient(options: options)
        let origin = usesProxy ? "http://origin.test" : server.url
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<64 {
                group.addTask {
                    for number in 0..<60 {
                        let path = "/\(worker)-\(number)"
                        let response = try await client.send(HTTPRequest(url: origin + path))
                        let body = try await response.body.collect(upTo: 100)
                        let text = String(decoding: body, as: UTF8.self)
                        #expect(text.hasSuffix("good " + (usesProxy ? origin : "") + path))
                    }
                }
            }
            try await group.waitForAll()
        }
        await client.shutdown()
    }

    @Test("A request that starts in the turn in which another ends gets its own response")
    func requestThatStartsAsAnotherEndsGetsItsOwnResponse() async throws {
        let rest = Gate()
        let answer = "first" + Self.forged
        let server = try LoopbackServer.scripted { connection in
            connection == 0
                // Sent separately, so that libcurl reads the head and then no more than the body.
                ? [.readHead, .send(Self.head("first")), .waitFor(rest), .send(answer), .stall]
                : [.readHead, .send(Self.head("true") + "true"), .stall]
        }
        let other = try LoopbackServer { _ in .text("other") }
        let rig = try Rig { $0.eventLoopCount = 1 }
        let first = RecordingDelegate()
        try rig.start(server.url, delegate: first)
        try await first.turnOfHead()

        // Holds the loop until the end of the first response has arrived and the second request
        // is in the mailbox: the loop then handles both in one turn.
        let (isHeld, release) = (Gate(), Gate())
        defer { release.open() }
        let holder = RecordingDelegate {
            $0.head = { _, _ in
                isHeld.open()
                release.waitBlocking()
                return .proceed
            }
        }
        try rig.start(other.url, delegate: holder)
        try await isHeld.wait()
        rest.open()
        try await server.sent(Self.head("first").utf8.count + answer.utf8.count)
        try await Arrivals.wait(fromPort: server.port)
        let second = RecordingDelegate()
        try rig.start(server.url, delegate: second)
        release.open()

        #expect(try await first.completion() == nil)
        #expect(first.bodyText == "first")
        #expect(try await second.completion() == nil)
        #expect(second.bodyText == "true")
        await rig.transport.shutdown()
    }

    @Test("After a challenge a response keeps its status line, and unsolicited bytes are ignored")
    func unsolicitedBytesBehindAnswerToCredentialsCloseConnection() async throws {
        let gate = Gate()
        let answer = Self.head("hello", reason: "Fine") + "hello"
        let truth = [Step.readHead, .send(Self.head("true") + "true"), .stall]
        let server = try LoopbackServer.scripted { connection in
            guard connection == 0 else { return truth }
            return [
                .readHead, .send(Self.challenge), .send("no"), .readHead, .send(answer),
                .waitFor(gate), .send(Self.forged), .stall,
            ]
        }
        let client = try HTTPClient(options: .patient)
        let first = try await client.send(HTTPRequest(url: server.url), options: Self.digest)
        #expect(first.status.reasonPhrase == "Fine")
        #expect(try await first.body.collect(upTo: 100) == Array("hello".utf8))
        gate.open()
        let sent = Self.challenge.count + 2 + answer.utf8.count + Self.forged.utf8.count
        try await server.sent(sent)
        try await Arrivals.wait(fromPort: server.port)
        let second = try await client.send(HTTPRequest(url: server.url))
        #expect(try await second.body.collect(upTo: 100) == Array("true".utf8))
        await client.shutdown()
    }

    @Test("A POST whose connection is lost after a challenge is not retried")
    func postLostAfterChallengeIsNotRetried() async throws {
        let server = try LoopbackServer.scripted { connection in
            guard connection == 0 else {
                return [.readHead, .readBody, .send(Self.head("twice") + "twice"), .stall]
            }
            return [
                .readHead, .readBody, .send(Self.challenge), .send("no"), .readHead, .readBody,
                .close,
            ]
        }
        let client = try HTTPClient(options: Self.digest)
        let error = await #expect(throws: TransportError.self) {
            _ = try await client.send(
                HTTPRequest(method: .post, url: server.url),
                body: .bytes([1, 2, 3])
            )
        }
        #expect(error?.code == .unanswered)
        #expect(server.requests.count { $0.header("Authorization") != nil } == 1)
        await client.shutdown()
    }

    @Test("A request is retried only a few times when bytes follow each challenge")
    func unsolicitedBytesBehindEachChallengeEndTransfer() async throws {
        let server = try LoopbackServer.scripted { _ in
            // Sent separately, so that libcurl reads the head before the unsolicited bytes arrive.
            // If the next request is sent before that, these bytes begin its response, which ends
            // immediately.
            [
                .readHead, .send(Self.challenge), .after(.milliseconds(5)), .send("noXXXX"),
                .readHead, .close,
            ]
        }
        let client = try HTTPClient(options: Self.digest)
        let result = await Task { try await client.send(HTTPRequest(url: server.url)) }.result
        switch result {
        case .success(let response): #expect(response.statusCode == 401)
        case .failure(let error): #expect((error as? TransportError)?.isTimeout == false)
        }
        #expect(server.acceptedConnectionCount <= 14)
        await client.shutdown()
    }

    @Test("A GET is retried on a new connection when two idle connections are lost")
    func getGoesOverNewConnectionWhenKeptOnesAreLost() async throws {
        let count = 16
        let gate = Gate()
        let server = try LoopbackServer.scripted { connection in
            let answer = Step.send(Self.head("ok") + "ok")
            return connection < count
                ? [.readHead, .waitFor(gate), answer, .readHead, .close]
                : [.readHead, answer, .stall]
        }
        let client = try HTTPClient(options: .patient)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let response = try await client.send(HTTPRequest(url: server.url))
                    _ = try await response.body.collect(upTo: 100)
                }
            }
            try await server.requests(count: count)
            gate.open()
            try await group.waitForAll()
        }
        let response = try await client.send(HTTPRequest(url: server.url + "/last"))
        #expect(try await response.body.collect(upTo: 100) == Array("ok".utf8))
        #expect(server.requests.count { $0.path == "/last" } == 3)
        await client.shutdown()
    }
}
