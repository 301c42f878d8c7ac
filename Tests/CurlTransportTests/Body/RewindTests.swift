internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Request bodies that must be sent a second time.
@Suite(.timeLimit(.minutes(10))) struct RewindTests {
    enum Source: CaseIterable, Sendable {
        case small
        case large
        case file
        case restartable
        case restartableOfKnownLength
        case oneShot

        func body(_ bytes: [UInt8], _ directory: TemporaryDirectory) throws -> RequestBody {
            let half = bytes.count / 2
            let chunks = Chunks([Array(bytes[..<half]), Array(bytes[half...])])
            switch self {
            case .small, .large: return .bytes(bytes)
            case .file: return .file(path: try directory.write(bytes, to: "body"))
            case .restartable: return .stream(restartable: { chunks })
            case .restartableOfKnownLength:
                return .stream(length: Int64(bytes.count), restartable: { chunks })
            case .oneShot: return .stream(chunks)
            }
        }

        var bytes: [UInt8] { RequestBodyTests.bytes(self == .small ? 1000 : 900_000) }
    }

    @Test(arguments: Source.allCases, [307, 308])
    func redirectResendsBody(_ source: Source, _ status: Int) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("end") : .redirect(status, to: "/end")
        }
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start(
            server.url + "/start",
            method: .post,
            fields: [.contentType: "a/b"],
            body: try source.body(source.bytes, directory),
            delegate: delegate
        )
        let error = try await delegate.completion()
        #expect(server.requests[0].body == source.bytes)
        guard source != .oneShot else {
            #expect(error?.code == .bodyNotReplayable)
            #expect(server.requestCount == 1)
            return
        }
        #expect(error == nil)
        #expect(server.requests[1].method == "POST")
        #expect(server.requests[1].body == source.bytes)
        #expect(server.requests[1].header("Content-Type") == "a/b")
        #expect(delegate.bodyText == "end")
    }

    @Test func unreadStreamIsReusedForRetry() async throws {
        let server = try LoopbackServer.scripted { connection in
            [
                .readHead,
                .send(
                    connection == 0
                        ? "HTTP/1.1 307 To\r\nLocation: /end\r\nContent-Length: 0\r\n"
                            + "Connection: close\r\n\r\n"
                        : "HTTP/1.1 100 Continue\r\n\r\n"
                ),
            ]
                + (connection == 0
                    ? [.readUntilClosed]
                    : [
                        .readBody, .send("HTTP/1.1 204 No\r\n\r\n"), .stall,
                    ])
        }
        // Nothing is read from the stream before `100 Continue`.
        let delegate = try await Rig().fetch(
            server.url,
            method: .post,
            body: .stream(Chunks([[1, 2, 3]]))
        ) {
            $0.expectContinue = .seconds(30)
        }
        #expect(delegate.heads.last?.statusCode == 204)
        #expect(server.requests[1].body == [1, 2, 3])
    }

    /// The server answers one request and closes the connection after reading the next.
    @Test(arguments: Source.allCases)
    func connectionClosedAtReuseIsReplaced(_ source: Source) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer.losingSecondRequest()
        let rig = try Rig()
        try await rig.fetch(server.url)
        let delegate = RecordingDelegate()
        try rig.start(
            server.url,
            method: .put,
            body: try source.body(source.bytes, directory),
            delegate: delegate
        )
        let error = try await delegate.completion()
        #expect(server.requests[1].connection == 0)
        guard source != .oneShot else {
            #expect(error?.code == .bodyNotReplayable)
            return
        }
        #expect(error == nil)
        #expect(server.requests[2].connection == 1)
        // The retry sends exactly the content that its head announces.
        #expect(server.requests[2].body == source.bytes)
        #expect(server.requestCount == 3)
        #expect(delegate.events.count { $0 == .requestSent } == 1)
    }

    /// The server closes without reading the body, which resets the connection.
    @Test(arguments: Source.allCases)
    func connectionResetNeverSendsDifferentBody(_ source: Source) async throws {
        let directory = try TemporaryDirectory()
        let answer = Step.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let server = try LoopbackServer.scripted { connection in
            connection == 0
                ? [.readHead, answer, .readHead, .reset]
                : [.readHead, .readBody, answer, .stall]
        }
        let rig = try Rig()
        try await rig.fetch(server.url)
        let delegate = RecordingDelegate()
        try rig.start(
            server.url,
            method: .put,
            body: try source.body(source.bytes, directory),
            delegate: delegate
        )
        if let error = try await delegate.completion() {
            // libcurl retries if it notices the reset while it reads.
            #expect(error.code == .connectionLost || error.code == .bodyNotReplayable)
            #expect(server.requestCount == 2)
        } else {
            #expect(server.requests[2].body == source.bytes)
        }
    }

    /// A request that gets no answer, and whether it may be retried.
    ///
    /// The server may have processed it before closing or resetting the reused connection.
    struct Unanswered: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        var fields: HTTPFields = [:]
        var retry = ConnectionLossRetry.idempotent
        let isSentOnceMore: Bool

        var testDescription: String { "\(method) \(fields.count) \(retry)" }
    }

    @Test(
        "A request lost on a reused connection is retried only if the policy allows it",
        arguments: [Step.close, .reset],
        [
            Unanswered(method: .post, isSentOnceMore: false),
            Unanswered(method: .patch, isSentOnceMore: false),
            Unanswered(method: .put, isSentOnceMore: true),
            Unanswered(method: .put, retry: .never, isSentOnceMore: false),
            Unanswered(method: .post, retry: .always, isSentOnceMore: true),
            Unanswered(
                method: .post,
                fields: [HTTPField.Name("Idempotency-Key")!: "1"],
                isSentOnceMore: true
            ),
        ]
    )
    func unansweredRequestIsRetriedIfAllowed(end: Step, _ sent: Unanswered) async throws {
        let isAllowed = sent.isSentOnceMore
        let server = try LoopbackServer.losingSecondRequest(by: end)
        let rig = try Rig()
        try await rig.fetch(server.url)
        let delegate = RecordingDelegate()
        try rig.start(
            server.url,
            method: sent.method,
            fields: sent.fields,
            body: .bytes([1, 2, 3]),
            delegate: delegate
        ) { $0.retriesOnReusedConnectionLoss = sent.retry }
        let error = try await delegate.completion()
        #expect(error?.code == (isAllowed ? nil : .unanswered), "\(String(describing: error))")
        #expect(error?.retry == (isAllowed ? nil : .idempotentOnly))
        #expect(server.requestCount == (isAllowed ? 3 : 2))
    }

    /// The server closes the idle connection before the next request.
    @Test func closedIdleConnectionIsNotReused() async throws {
        let server = try LoopbackServer.scripted { _ in
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .close]
        }
        let rig = try Rig()
        for index in 0..<20 {
            try await rig.fetch(server.url, method: .post)
            try await server.connectionClosed(index)
            try await Arrivals.wait(fromPort: server.port)
        }
        #expect(server.requestCount == 20)
    }

    @Test func redirectDuringUploadIsFollowedImmediately() async throws {
        var options = ServerOptions()
        options.receiveBufferBytes = 64 * 1024
        let server = try LoopbackServer.scripted(options: options) { connection in
            connection == 0
                ? [
                    .readHead, .readBodyBytes(1000),
                    .send("HTTP/1.1 307 To\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n"),
                    .stall,
                ] : [.readHead, .readBody, .send("HTTP/1.1 204 No\r\n\r\n"), .stall]
        }
        let bytes = RequestBodyTests.bytes(16 << 20)
        let delegate = try await Rig().fetch(server.url, method: .put, body: .bytes(bytes))
        #expect(delegate.heads.last?.statusCode == 204)
        #expect(server.requests[1].bodyByteCount == bytes.count)
    }
}
