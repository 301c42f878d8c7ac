internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Requests that can't be built, for each kind of response.
@Suite(.timeLimit(.minutes(10))) struct UnmadeRequestTests {
    private typealias Body = @Sendable (HTTPSessionManager) async throws -> Void

    private static let bodies: [(name: String, body: Body)] = [
        ("get", { try await $0.get("x", parameters: [1]) }),
        ("download", { _ = try await $0.download("x", parameters: [1]) { url, _ in url } }),
        ("stream", { _ = try await $0.stream(urlString: "x", parameters: [1]) }),
        ("events", { _ = try await $0.events("x", parameters: [1]) }),
        ("form", { try await $0.post("x") { _ in throw Refusal(status: 1) } }),
        ("response", { try await response($0) }),
    ]

    private static func response(_ manager: HTTPSessionManager) async throws {
        let answer = await manager.dataResponse(
            urlString: "x",
            parameters: [1],
            serializer: StringResponseSerializer()
        )
        if let error = answer.error { throw error.error }
    }

    @Test(
        "A-11, A-17: Monitors and retriers get requests that can't be built",
        arguments: bodies.map(\.name)
    )
    func monitorsAndRetriersGetUnbuildableRequests(name: String) async throws {
        let body = try #require(Self.bodies.first { $0.name == name }).body
        let manager = HTTPSessionManager.forTest("http://127.0.0.1:1/")
        manager.requestSerializer.setQueryStringSerialization { _, _ in throw Refusal(status: 1) }
        let monitor = JournalMonitor()
        manager.eventMonitors = [monitor]
        await #expect(throws: Refusal(status: 1)) { try await body(manager) }
        await monitor.settle()
        #expect(monitor.events == ["no request"])
        let asked = EventRecorder<Asked>()
        manager.interceptor = ScriptedInterceptor(
            name: "m",
            asked: asked,
            result: .doNotRetryWithError(Refusal(status: 2))
        )
        await #expect(throws: Refusal(status: 2)) { try await body(manager) }
        #expect(asked.events == [.retry("m", retryCount: 0)])
    }
}
