internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

/// Requests whose method, URL or header fields are unusual.
@Suite(.timeLimit(.minutes(10))) struct RequestMethodTests {
    private let ends = EventRecorder<VerbOutcome>()

    @Test("H-07, R-11: HEAD completes, also if it isn't among the methods with a query")
    func headCompletesWithoutAQuery() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = HTTPSessionManager.forTest(server.at("/"))
        manager.requestSerializer.httpMethodsEncodingParametersInURI = [.get]
        let task = manager.head("p", success: { _ in }, failure: ends.failure)
        #expect(task != nil)
        try await manager.head("p")
        try await manager.head("p", parameters: ["k": "v"])
        try await server.requests(count: 3)
        for request in server.requests {
            #expect(request.method == "HEAD" && request.target == "/p")
            #expect(request.bodyByteCount == 0)
        }
        #expect(ends.events.isEmpty)
    }

    @Test("H-03: A relative URL without a base URL is an unsupported URL")
    func relativeURLWithoutABaseIsUnsupported() async throws {
        let manager = HTTPSessionManager.forTest()
        let task = manager.get("foo", success: ends.success, failure: ends.failure)
        let end = try await ends.only()
        #expect(task != nil && end.task === task)
        #expect(end.code == -1002)
        let error = try await urlError { try await manager.get("foo") }
        #expect(error.code == .unsupportedURL)
    }

    @Test("H-12: A header whose value has a line break or a NUL is a failure, and nothing is sent")
    func headerWithALineBreakIsAFailure() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let headers: HTTPHeaders = ["X-Token": "secret\n"]
        let task = manager.get("p", headers: headers, success: ends.success, failure: ends.failure)
        let end = try await ends.only()
        #expect(task == nil && end.task == nil)
        let error = try #require(end.error as NSError?)
        #expect(error.domain == URLRequestSerializationErrorDomain)
        #expect(error.localizedFailureReason?.contains("X-Token") == true)
        #expect(error.localizedFailureReason?.contains("secret") == false)
        // A line may be folded.
        let folded: HTTPHeaders = ["X-Token": "a\r\n b"]
        try await manager.get("p", headers: folded)
        #expect(server.requests.first?.header("X-Token") == "a b")
        manager.requestSerializer.setValue("a\u{0}b", forHTTPHeaderField: "X-Key")
        let other = await failure { try await manager.post("p", parameters: ["k": "v"]) }
        #expect(other?.localizedFailureReason?.contains("X-Key") == true)
        #expect(server.requestCount == 1)
    }
}
