internal import CurlNetworking
internal import CurlTransport
internal import CurlTransportTesting
internal import Foundation
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// The examples of the seam and of stubs do what the pages say.
@Suite(.timeLimit(.minutes(10))) struct SeamExampleTests {
    @Test func stubExamplesAnswer() async throws {
        let (status, stub) = try await StubbingRequests.stub()
        #expect(status == 201)
        #expect(stub.requests.map(\.bodyText) == ["7 apples"])
        StubbingRequests.routes(stub)
        StubbingRequests.failures(stub)
        func get(_ url: String, _ fields: HTTPFields = [:]) async throws -> Int {
            var request = try HTTPRequest(url: "https://a.shop.example" + url)
            request.headerFields = fields
            return try await stub.send(request).statusCode
        }
        #expect(try await get("/status") == 503)
        #expect(try await get("/status") == 200)
        #expect(try await get("/items/1") == 401)
        #expect(try await get("/items/1", [.authorization: "x"]) == 200)
        let error = await #expect(throws: TransportError.self) { try await get("/down") }
        #expect(error?.code == .connectRefused)
        let held = StubClient()
        #expect(try await StubbingRequests.gate(held).statusCode == 200)
    }

    @Test func recordingExamplesReplay() async throws {
        let folder = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .text("hello", status: 203) }
        let client = try HTTPClient()
        let url = server.url + "/"
        try await RecordingAndReplaying.record(client, url, to: folder.path("one"))
        try await SeamComments.record(client, url, to: folder.path("two"))
        await client.shutdown()
        for name in ["one", "two"] {
            let response = try await RecordingAndReplaying.replay(url, from: folder.path(name))
            #expect(response.statusCode == 203)
        }
    }

    @Test func sessionExamplesAreAnswered() async throws {
        let url = try #require(URL(string: "https://shop.example/users"))
        let (data, response) = try await URLSessionTestingPage.session(url)
        #expect(String(decoding: data, as: UTF8.self) == #"[{"name": "Ada"}]"#)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let manager = URLSessionTestingPage.manager()
        let (answer, _) = try await manager.session.data(from: url)
        #expect(answer == data)
    }

    @Test func seamCommentsSendRequests() async throws {
        let stub = StubClient().on(.get, "https://users.example/*/name", reply: .text("Ada"))
        #expect(try await SeamComments.Users(client: stub).name(of: 7) == "Ada")
        #expect(try await SeamComments.stub().statusCode == 200)
        #expect(try await SeamComments.watched() == 1)
        let server = try LoopbackServer { .text($0.header("User-Agent") ?? "-") }
        let client = try SeamComments.client()
        let response = try await client.send(HTTPRequest(url: server.url))
        #expect(try await response.body.collect(upTo: 99) == Array("shop/1.0".utf8))
        let hello = try await SeamComments.server(client)
        #expect(hello.statusCode == 200)
        await client.shutdown()
        let ends = EventRecorder<TransferEnd>()
        let counting = SeamComments.Counting { ends.record($0) }
        _ = try await MiddlewareChain([counting], around: stub)
            .send(HTTPRequest(url: "https://users.example/7/name"))
        #expect(ends.events.map(\.statusCode) == [200])
    }
}
