internal import CurlNetworking
internal import CurlTransport
internal import CurlTransportTesting
internal import CurlURLSession
internal import CurlURLSessionTesting
internal import Foundation
internal import HTTPTypes
internal import Testing

/// Stubs answer the requests of sessions and managers.
@Suite(.timeLimit(.minutes(10))) struct StubSessionTests {
    private let stub = StubClient()

    private func session() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-App": "test"]
        configuration.answerRequests(with: stub)
        return URLSession(configuration: configuration)
    }

    private func url(_ path: String) throws -> URL {
        try #require(URL(string: "https://host.invalid" + path))
    }

    @Test("A session gets the stub's response, and the stub the session's request")
    func sessionGetsResponse() async throws {
        stub.on(.put, "/a", reply: .chunks([[65], [66, 67]]).field(.server, "stub"))
        var request = URLRequest(url: try url("/a?b=c"))
        request.httpMethod = "PUT"
        request.httpBody = Data("body".utf8)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        let (data, response) = try await session().data(for: request)
        #expect(data == Data("ABC".utf8))
        let answer = try #require(response as? HTTPURLResponse)
        #expect(answer.statusCode == 200)
        #expect(answer.value(forHTTPHeaderField: "Server") == "stub")
        let recorded = try #require(stub.requests.first)
        #expect(recorded.url == "https://host.invalid/a?b=c")
        #expect(recorded.bodyText == "body")
        #expect(recorded.headerFields[.contentType] == "text/plain")
        let names = recorded.headerFields.map { $0.name.canonicalName }
        #expect(names.contains("x-app") && !names.contains { $0.contains("stub") })
    }

    @Test("The body of an upload from a file reaches the stub")
    func uploadReachesStub() async throws {
        stub.on(.post, "/up") { .text("\($0.body.count)") }
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try Data(repeating: 1, count: 200_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var request = URLRequest(url: try url("/up"))
        request.httpMethod = "POST"
        let (data, _) = try await session().upload(for: request, fromFile: file)
        #expect(data == Data("200000".utf8))
    }

    @Test("A stub's failure becomes the URLError of such a failure")
    func failureBecomesURLError() async throws {
        stub.on(.get, "/down", reply: .failure(.connectRefused))
            .on(.get, "/late", reply: .failure(.firstByteTimeout))
            .on(.get, "/cut", reply: .chunks([[1], [2]]).failing(.connectionLost, afterChunks: 1))
        let codes: [(String, URLError.Code)] = [
            ("/down", .cannotConnectToHost), ("/late", .timedOut),
            ("/cut", .networkConnectionLost),
        ]
        for (path, code) in codes {
            let url = try url(path)
            let error = await #expect(throws: URLError.self) {
                try await session().data(from: url)
            }
            #expect(error?.code == code, "\(path)")
        }
    }

    @Test("Cancelling a task ends the wait of the stub")
    func cancellationReachesStub() async throws {
        stub.on(.get, "/held", reply: .text("x").waiting(for: Gate()))
        let url = try url("/held")
        let session = session()
        let task = Task { try await session.data(from: url) }
        _ = try await stub.requests(count: 1)
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    @Test("Two sessions have stubs of their own; one without a stub isn't answered")
    func sessionsHaveTheirOwnStubs() async throws {
        let other = StubClient().on(nil, "**", reply: .text("other"))
        stub.on(nil, "**", reply: .text("own"))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.answerRequests(with: stub)
        configuration.answerRequests(with: other)
        #expect(configuration.protocolClasses?.count == 1)
        let url = try url("/")
        let (first, _) = try await session().data(from: url)
        let (second, _) = try await URLSession(configuration: configuration).data(from: url)
        #expect(first == Data("own".utf8) && second == Data("other".utf8))
        await #expect(throws: URLError.self) {
            try await URLSession(configuration: .ephemeral).data(from: url)
        }
    }

    @Test("A manager gets decoded responses from a stub")
    func managerGetsResponses() async throws {
        struct User: Decodable, Sendable {
            let name: String
        }
        stub.on(.get, "/user", reply: .json(#"{"name": "Ada"}"#))
        let manager = HTTPSessionManager(
            baseURL: try url("/"),
            sessionConfiguration: session().configuration
        )
        let user: User = try await manager.get("user")
        #expect(user.name == "Ada")
        #expect(stub.requests.count == 1)
    }
}
