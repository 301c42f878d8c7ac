internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests responses of servers to attempts to resume an upload.
@Suite(.timeLimit(.minutes(10))) struct UploadAnswerTests {
    private typealias Server = UploadServer

    /// Resumes an upload that the server has interrupted. The server then replies with `answer`.
    private func resumed(
        _ delegate: SessionDelegate? = nil,
        by answer: @escaping @Sendable (RecordedRequest) -> Reply
    ) async throws -> (server: LoopbackServer, outcome: Result<(Data, URLResponse), URLError>) {
        let gate = Gate()
        let server = try Server.start(gate, then: answer)
        let session = URLSession.test()
        let data = try await Server.resumeData(server, session, opening: gate)
        do {
            return (
                server, .success(try await session.upload(resumeFrom: data, delegate: delegate))
            )
        } catch let error as URLError {
            return (server, .failure(error))
        }
    }

    private func failure(
        _ delegate: SessionDelegate? = nil,
        by answer: @escaping @Sendable (RecordedRequest) -> Reply
    ) async throws -> (server: LoopbackServer, error: URLError) {
        let (server, outcome) = try await resumed(delegate, by: answer)
        switch outcome {
        case .success: throw UnexpectedSuccess()
        case .failure(let error): return (server, error)
        }
    }

    // MARK: Offsets

    static let refusals: [(reply: Reply, code: URLError.Code, isFinal: Bool)] = [
        (UploadServer.has(UploadServer.size + 1), .badServerResponse, true),
        (UploadServer.has(.max), .badServerResponse, true),
        (UploadServer.has(-1), .badServerResponse, true),
        (Reply(204), .badServerResponse, true),
        (Reply(204).header("Upload-Offset", "half"), .badServerResponse, true),
        (Reply(204).header("Upload-Offset", "5, 6"), .badServerResponse, true),
        (
            Reply(204).header("Upload-Offset", "5").header("Upload-Offset", "5"),
            .badServerResponse, true
        ),
        (UploadServer.has(5, isComplete: true), .badServerResponse, true),
        (.status(404), .resourceUnavailable, true),
        (.status(410), .resourceUnavailable, true),
        (.status(400), .badServerResponse, false),
        (.status(503), .badServerResponse, false),
        (.redirect(307, to: "/elsewhere"), .badServerResponse, false),
        (.redirect(302, to: "http://127.0.0.2:1/"), .badServerResponse, false),
    ]

    @Test("E3: An invalid reply to a resumed upload is a clear error", arguments: refusals.indices)
    func invalidUploadResponseIsAClearError(_ index: Int) async throws {
        let (reply, code, isFinal) = Self.refusals[index]
        let (server, error) = try await failure { _ in reply }
        #expect(error.code == code)
        #expect((error.uploadTaskResumeData == nil) == isFinal)
        #expect(error.reason.contains("upload"), "\(error)")
        #expect(server.requests.map(\.method) == ["POST", "HEAD"])
    }

    @Test func decreasedUploadOffsetIsAnError() async throws {
        let gate = Gate()
        let offer = Server.offered + [("Upload-Offset", "1000")]
        let server = try Server.start(offering: offer, gate) { _ in Server.has(999) }
        let session = URLSession.test()
        let data = try await Server.resumeData(server, session, opening: gate)
        let error = try await urlError { _ = try await session.upload(resumeFrom: data) }
        #expect(error.code == .badServerResponse)
        #expect(error.reason.contains("999"))
        #expect(error.uploadTaskResumeData == nil)
    }

    @Test func completeUploadIsNotSentAgain() async throws {
        let (server, outcome) = try await resumed { _ in Server.has(Server.size, isComplete: true) }
        let (data, response) = try outcome.get()
        let http = try #require(response as? HTTPURLResponse)
        #expect(data.isEmpty && http.statusCode == 204)
        #expect(http.value(forHTTPHeaderField: "Upload-Complete") == "?1")
        #expect(server.requests.map(\.method) == ["POST", "HEAD"])
    }

    @Test(arguments: [0, UploadServer.size])
    func anyNumberOfBytesCanBeMissing(_ offset: Int64) async throws {
        let (server, outcome) = try await resumed {
            $0.method == "HEAD" ? Server.has(offset) : .text("\($0.bodyByteCount)")
        }
        #expect(try outcome.get().0 == Data("\(Server.size - offset)".utf8))
        let patch = try #require(server.requests.last)
        #expect(patch.header("Content-Length") == "\(Server.size - offset)")
        #expect(patch.header("Upload-Offset") == "\(offset)")
    }

    // MARK: The rest of the body

    @Test func uploadCanBeInterruptedRepeatedly() async throws {
        let gates = [Gate(), Gate()]
        let quarter = Server.size / 4
        let server = try LoopbackServer.scripted { connection in
            func head(_ offset: Int64) -> [Step] {
                [.readHead, .respond { Server.has(offset).steps(for: $0) }]
            }
            switch connection {
            case 0:
                return Server.interruption(gates[0])
            case 1:
                return head(quarter) + [
                    .readHead, .send("HTTP/1.1 104 Still\r\nUpload-Offset: 300000\r\n\r\n"),
                    .readBodyBytes(50_000), .waitFor(gates[1]), .close,
                ]
            default:
                return head(Server.half) + [
                    .readHead, .readBody, .respond { Reply.text("x").steps(for: $0) },
                ]
            }
        }
        let session = URLSession.test()
        let first = try await Server.resumeData(server, session, opening: gates[0])
        let delegate = Server.delegate(opening: gates[1])
        let error = try await urlError {
            _ = try await session.upload(resumeFrom: first, delegate: delegate)
        }
        #expect(error.code == .networkConnectionLost)
        let second = try #require(error.uploadTaskResumeData)
        let (data, _) = try await session.upload(resumeFrom: second)
        #expect(data == Data("x".utf8))
        #expect(server.requests.map(\.method) == ["POST", "HEAD", "PATCH", "HEAD", "PATCH"])
        let isRest = server.requests[4].body == [UInt8](Server.content[Int(Server.half)...])
        #expect(isRest)
    }

    static let strangeEnds: [(reply: Reply, code: URLError.Code, isFinal: Bool)] = [
        (.status(404), .resourceUnavailable, true),
        (.status(410), .resourceUnavailable, true),
        (Reply(409).header("Upload-Offset", "17"), .badServerResponse, false),
        (
            Reply(201).header("Upload-Offset", "17").header("Upload-Complete", "?0"),
            .badServerResponse, false
        ),
    ]

    @Test(arguments: strangeEnds.indices)
    func rejectedRemainderIsAnError(_ index: Int) async throws {
        let (reply, code, isFinal) = Self.strangeEnds[index]
        let (_, error) = try await failure {
            $0.method == "HEAD" ? Server.has(Server.half) : reply
        }
        #expect(error.code == code)
        #expect((error.uploadTaskResumeData == nil) == isFinal)
    }

    /// The response to a complete upload doesn't depend on how the body arrived.
    @Test(
        arguments: [
            Reply(404).header("Upload-Complete", "?1"), Reply(409), .status(500), .status(422),
            Reply(409).header("Upload-Complete", "?1").header("Upload-Offset", "17"),
        ]
    )
    func uploadsFinalResponseIsTheResponse(_ reply: Reply) async throws {
        let (_, outcome) = try await resumed {
            $0.method == "HEAD" ? Server.has(Server.half) : reply
        }
        let response = try outcome.get().1
        #expect((response as? HTTPURLResponse)?.statusCode == reply.status)
    }

    @Test func completedUploadCanRedirect() async throws {
        let (server, outcome) = try await resumed { request in
            switch request.method {
            case "HEAD": Server.has(Server.half)
            case "PATCH": .redirect(303, to: "/result")
            default: .text("result")
            }
        }
        #expect(try outcome.get().0 == Data("result".utf8))
        #expect(server.requests.map(\.method) == ["POST", "HEAD", "PATCH", "GET"])
        let last = try #require(server.requests.last)
        #expect(last.header("Content-Type") == nil && last.bodyByteCount == 0)
        #expect(!last.headerLines.contains { $0.lowercased().hasPrefix("upload-") })
    }

    @Test func remainderIsNotSentToARedirectTarget() async throws {
        let (server, outcome) = try await resumed {
            $0.method == "HEAD" ? Server.has(Server.half) : .redirect(307, to: "/other")
        }
        #expect((try outcome.get().1 as? HTTPURLResponse)?.statusCode == 307)
        #expect(server.requests.map(\.method) == ["POST", "HEAD", "PATCH"])
    }

    // MARK: Authentication and cookies

    @Test(arguments: [true, false])
    func resumedUploadCanAuthenticate(_ isKnown: Bool) async throws {
        let delegate = SessionDelegate { answers in
            guard isKnown else { return }
            answers.challenge = { _, completion in
                completion(
                    .useCredential,
                    URLCredential(user: "a", password: "b", persistence: .none)
                )
            }
        }
        let (server, outcome) = try await resumed(delegate) { request in
            guard request.header("Authorization") != nil else {
                return Reply(401, headers: [("WWW-Authenticate", "Basic realm=x")])
            }
            return request.method == "HEAD" ? Server.has(Server.half) : .text("done")
        }
        guard isKnown else {
            let error = try await urlError { _ = try outcome.get() }
            #expect(error.code == .userAuthenticationRequired)
            #expect(error.uploadTaskResumeData != nil)
            return
        }
        #expect(try outcome.get().0 == Data("done".utf8))
        #expect(server.requests.map(\.method) == ["POST", "HEAD", "HEAD", "PATCH"])
    }

    @Test func resumedUploadSendsTheServersCookies() async throws {
        let gate = Gate()
        let server = try Server.start(gate)
        let session = URLSession.test()
        let data = try await Server.resumeData(server, session, opening: gate)
        let cookie = try #require(
            HTTPCookie(properties: [.name: "a", .value: "b", .domain: "127.0.0.1", .path: "/"])
        )
        session.configuration.httpCookieStorage?.setCookie(cookie)
        _ = try await session.upload(resumeFrom: data)
        #expect(server.requests.map { $0.header("Cookie") } == [nil, "a=b", "a=b"])
    }
}
