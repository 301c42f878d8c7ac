internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The task-local values that interceptors see.
@Suite(.timeLimit(.minutes(10))) struct InterceptorContextTests {
    @TaskLocal private static var name = "none"

    /// Records the task-local value that it sees.
    private struct NotingInterceptor: RequestInterceptor {
        let seen: EventRecorder<String>

        func adapt(_ request: URLRequest, for attempt: RequestAttempt) async throws -> URLRequest {
            seen.record("adapt " + InterceptorContextTests.name)
            return request
        }

        func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult {
            seen.record("retry " + InterceptorContextTests.name)
            return attempt.retryCount == 0 ? .retry : .doNotRetry
        }
    }

    @Test("An interceptor has the task-local values of the code that created the task")
    func interceptorHasTheCreatorsValues() async throws {
        let server = try LoopbackServer.replying(.status(503), .text("hello"))
        let seen = EventRecorder<String>()
        let manager = URLSessionManager.strict()
        manager.interceptor = NotingInterceptor(seen: seen)
        let completion = try await Self.$name.withValue("creator") {
            try await manager.load(server.request())
        }
        #expect(completion.text == "hello")
        #expect(seen.events == ["adapt creator", "retry creator", "adapt creator"])
    }

    @Test("An interceptor of a task without task-local values finds the defaults")
    func interceptorFindsTheDefaults() async throws {
        let server = try LoopbackServer.replying(.text("hello"))
        let seen = EventRecorder<String>()
        let manager = URLSessionManager.strict()
        manager.interceptor = Self.$name.withValue("setter") { NotingInterceptor(seen: seen) }
        #expect(try await manager.load(server.request()).text == "hello")
        #expect(seen.events == ["adapt none"])
    }
}
