internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Methods that return a response value.
@Suite(.timeLimit(.minutes(10))) struct ResponseMethodTests {
    private struct User: Codable, Equatable, Sendable { var name: String }

    private let folder: TemporaryDirectory
    private let users = DecodableResponseSerializer<User>()

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func file(_ name: String) -> URL { URL(fileURLWithPath: folder.path(name)) }

    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            switch request.path {
            case "/user": .text("{\"name\":\"Ada\"}")
            case "/text": .text("Ada")
            default: .text("{\"name\":\"nobody\"}", status: 404)
            }
        }
    }

    @Test("A-20: A response value has the decoded value and all information about the exchange")
    func aManagerReturnsAResponse() async throws {
        let server = try server()
        let manager = HTTPSessionManager.forTest(server.url)
        let answer = await manager.dataResponse(
            urlString: "user",
            parameters: ["a": "b"],
            headers: ["X-Own": "own"],
            serializer: users
        )
        #expect(answer.value == User(name: "Ada"))
        #expect(answer.error == nil)
        #expect(answer.response?.statusCode == 200)
        #expect(answer.request?.url?.absoluteString == server.at("/user?a=b"))
        #expect(answer.data == Data("{\"name\":\"Ada\"}".utf8))
        #expect(answer.metrics?.transactionMetrics.count == 1)
        #expect(answer.serializationDuration > .zero)
        #expect(try await server.request(0).header("X-Own") == "own")
        let source = URL(fileURLWithPath: try folder.write("sent", to: "source"))
        let sent = await manager.dataResponse(
            for: try server.request("/user", method: "PUT"),
            fromFile: source,
            serializer: StringResponseSerializer()
        )
        #expect(sent.value?.contains("Ada") == true)
        #expect(try await server.request(1).bodyText == "sent")
        let stream = InputStream(data: Data("streamed".utf8))
        var request = try server.request("/user", method: "PUT")
        request.httpBodyStream = stream
        #expect(await manager.dataResponse(for: request, serializer: users).value != nil)
        #expect(try await server.request(2).bodyText == "streamed")
    }

    @Test("A-20: The response value of a rejected response has the error and the body")
    func rejectedResponseHasItsError() async throws {
        let server = try server()
        let manager = URLSessionManager.test()
        let refused = await manager.dataResponse(
            for: try server.request("/nobody"),
            serializer: users
        )
        #expect(refused.error?.kind == .unacceptableStatusCode(404))
        #expect(refused.value == nil)
        #expect(refused.response?.statusCode == 404)
        #expect(refused.data == Data("{\"name\":\"nobody\"}".utf8))
        let wrong = await manager.dataResponse(for: try server.request("/text"), serializer: users)
        #expect(wrong.error?.kind == .undecodableBody)
        #expect(wrong.data == Data("Ada".utf8))
    }

    @Test("A-20: Without a response, the response value has the request and the error")
    func failureWithoutResponseHasRequestAndError() async throws {
        let url = "http://127.0.0.1:\(try LoopbackServer.unusedPort())/"
        let manager = HTTPSessionManager.forTest(url)
        let lost = await manager.dataResponse(urlString: "x", serializer: users)
        #expect(lost.error?.isConnectivity == true)
        #expect(lost.request?.url?.absoluteString == url + "x")
        #expect(lost.response == nil)
        #expect(lost.serializationDuration == .zero)
        manager.requestSerializer = JSONRequestSerializer()
        let unmade = await manager.dataResponse(
            withHTTPMethod: .post,
            urlString: "x",
            parameters: ["date": Date()] as [String: Any],
            serializer: users
        )
        #expect(unmade.request == nil)
        #expect(unmade.error != nil)
        #expect(unmade.error?.isConnectivity == false)
        let request = URLRequest(url: try #require(URL(string: url)))
        let task = Task { [users] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await manager.dataResponse(for: request, serializer: users)
        }
        #expect(await task.value.error?.isCancelled == true)
    }

    @Test("A-20: Retriers are asked about errors of the method's own serializer")
    func retriersAreAsked() async throws {
        let server = try LoopbackServer.replying(.text("{}"), .text("{\"name\":\"Ada\"}"))
        let manager = URLSessionManager.test()
        let answer = await manager.dataResponse(
            for: try server.request(),
            serializer: users,
            interceptor: Retrier.times(1)
        )
        #expect(answer.value == User(name: "Ada"))
        #expect(answer.metrics?.transactionMetrics.count == 2)
        #expect(answer.serializationDuration > .zero)
    }

    // MARK: Downloads

    @Test("A-20: The response value of a download has its file or the error")
    func aDownloadsResponseHasItsFile() async throws {
        let server = try server()
        let manager = HTTPSessionManager.forTest(server.url)
        manager.responseSerializer = HTTPResponseSerializer()
        let file = file("file")
        let done = await manager.downloadResponse("user", parameters: ["a": 1]) { _, _ in file }
        #expect(done.value == file)
        #expect(done.fileURL == file)
        #expect(done.response?.statusCode == 200)
        #expect(done.request?.url?.query == "a=1")
        #expect(done.metrics?.transactionMetrics.count == 1)
        #expect(done.map(\.lastPathComponent).value == "file")
        #expect(try folder.read("file") == Array("{\"name\":\"Ada\"}".utf8))
        let there = await manager.downloadResponse("user") { _, _ in file }
        #expect(there.error != nil)
        #expect(there.value == nil)
        let refused = await manager.downloadResponse("x", options: .removePreviousFile) { _, _ in
            file
        }
        #expect(refused.error?.kind == .unacceptableStatusCode(404))
        #expect(try folder.read("file") == Array("{\"name\":\"Ada\"}".utf8))
        manager.requestSerializer.setQueryStringSerialization { _, _ in
            throw Refusal(status: 1)
        }
        let unsent = await manager.downloadResponse("user", parameters: ["a": 1]) { _, _ in file }
        #expect(unsent.request == nil)
        #expect(unsent.error?.error is Refusal)
    }

    @Test("A-20, A-30: A failed download resumes with the resume data of its response value")
    func failedDownloadResumesFromItsResponseValue() async throws {
        let server = try LoopbackServer.replying(.half, .rest)
        let manager = URLSessionManager.test()
        let file = file("file")
        let broken = await manager.downloadResponse(for: try server.request()) { _, _ in file }
        #expect(broken.error?.urlError?.code == .networkConnectionLost)
        #expect(broken.fileURL == nil)
        let data = try #require(broken.resumeData)
        let done = await manager.downloadResponse(resumeFrom: data) { _, _ in file }
        #expect(done.value == file)
        #expect(try folder.read("file") == Array("helloworld".utf8))
    }

    @Test("A-20: A download's file is decoded and kept")
    func downloadedFileIsDecodedAndKept() async throws {
        let server = try server()
        let manager = URLSessionManager.test()
        func load(_ path: String) async throws -> DownloadResponse<User, NetworkingError> {
            let file = file(path)
            return await manager.downloadResponse(
                for: try server.request("/" + path),
                serializer: users,
                options: .removePreviousFile
            ) { _, _ in file }
        }
        try folder.write("former", to: "user")
        let good = try await load("user")
        #expect(good.value == User(name: "Ada"))
        #expect(good.serializationDuration > .zero)
        #expect(good.tryMap { $0.name }.value == "Ada")
        let wrong = try await load("text")
        #expect(wrong.error?.kind == .undecodableBody)
        #expect(wrong.fileURL == file("text"))
        #expect(try folder.read("text") == Array("Ada".utf8))
        struct Mapped: Error {}
        #expect(wrong.mapError { _ in Mapped() }.error != nil)
        try folder.write("former", to: "nobody")
        let refused = try await load("nobody")
        #expect(refused.error?.kind == .unacceptableStatusCode(404))
        #expect(try folder.read("nobody") == Array("former".utf8))
    }
}
